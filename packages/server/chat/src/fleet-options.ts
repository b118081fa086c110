import { callable, given, isRecord, kindOf, type Check, type Checks } from '@hexagent/checks';
import type { Placement } from '@hexagent/fleet';
import type { ReachWorkersOptions } from '@hexagent/http-fleet';
import { agentChecks, pageChecks, type ChatAgentOptions } from './chat-options.ts';

/** What all processes of a fleet have in common. */
export interface FleetOptions extends Pick<ReachWorkersOptions, 'identity' | 'ranges'> {
  /** The database that all workers and gateways share. */
  readonly postgres: NonNullable<ChatAgentOptions['postgres']>;
  /** Which worker takes a session that none drives; the same function in all processes. Default: `place` of `@hexagent/fleet`. */
  readonly place?: Placement | undefined;
}

const database: Check<FleetOptions['postgres']> = (value, place) => {
  if (typeof value === 'string' || isRecord(value)) return value;
  throw new TypeError(
    `\`${place}\` must be the address of a database, or options of postgresStores(), not ${kindOf(value)}.`,
  );
};

export const fleetChecks: Checks<FleetOptions> = {
  identity: given(),
  place: callable(),
  postgres: database,
  ranges: given(),
};

/** @throws {TypeError} for an option of the other half of a fleet. */
export function refuseOther(options: unknown, own: 'createWorker' | 'createGateway'): void {
  const [other, ownChecks, otherChecks] =
    own === 'createWorker' ? ['createGateway', agentChecks, pageChecks] : ['createWorker', pageChecks, agentChecks];
  const names = isRecord(options) ? Object.keys(options) : [];
  const stored = names.find((name) => name === 'folder' || name === 'stores');
  if (stored !== undefined)
    throw new TypeError(`\`${stored}\` is not an option of ${own}(): what a fleet stores is in \`postgres\`.`);
  const foreign = names.find(
    (name) => Object.hasOwn(otherChecks, name) && !Object.hasOwn(ownChecks, name) && !Object.hasOwn(fleetChecks, name),
  );
  if (foreign !== undefined) throw new TypeError(`\`${foreign}\` is an option of ${other}(), not of ${own}().`);
}
