import { setTimeout as delay } from 'node:timers/promises';
import { SdkError } from '@hexagent/sdk';
import { createQuery, type Options } from '@hexagent/sdk/claude-agent-sdk';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { Chance } from '../support/chance.ts';
import { odd } from './wrong-values.ts';
import { officialOptions } from './official-options.ts';
import type { Finding } from './invariants.ts';
import type { SeedOptions } from './run-seed.ts';

/** How long anything may take with an agent in this process. */
const boundMs = 10_000;

/** Passes wrong values to the drop-in, and finds what was not refused by name, or not in time. */
export async function runOptions(seed: number, { escaped }: SeedOptions): Promise<Finding> {
  const chance = new Chance(seed);
  const escapedBefore = escaped.length;
  const complaint = await Promise.race([officialOption(chance), delay(boundMs, 'hangs', { ref: false })]);
  await delay(0);
  return { violations: [...(complaint === undefined ? [] : [complaint]), ...escaped.slice(escapedBefore)] };
}

/** With any of these a program of the system would be started, or looked for. */
const naming: ReadonlySet<string> = new Set(['executable', 'executableArgs', 'pathToClaudeCodeExecutable', 'stderr']);
const harmless = officialOptions.filter((name) => !naming.has(name));

/** What an object of the program throws when it is read reaches the program as it is. */
const unreadable = new Set(['throwingGetter', 'throwingProxy', 'revokedProxy']);
const readable = Object.keys(odd).filter((kind) => !unreadable.has(kind));

/** The drop-in accepts much; what it does not accept it refuses by name. */
async function officialOption(chance: Chance): Promise<string | undefined> {
  const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
  const names = chance.list(1, 2, () => chance.oneOf(harmless));
  const kinds = names.map(() => chance.oneOf(readable));
  const values = kinds.map((kind) => Object.entries(odd).find(([name]) => name === kind)?.[1]());
  // Wrong on purpose.
  const options = Object.fromEntries(names.map((name, index) => [name, values[index]])) as Options;
  const outcome = await outcomeOf(async () => {
    for await (const _ of createQuery({ transport, onWarning: () => {} })({ prompt: 'hello', options }));
  });
  if (outcome === 'accepted' || isNamed(outcome, names)) return undefined;
  return `query with ${names.map((name, index) => `${name} of ${kinds[index]}`).join(' and ')}: ${describe(outcome)}`;
}

type Refusal = 'accepted' | { readonly error: unknown };

async function outcomeOf(act: () => Promise<void>): Promise<Refusal> {
  try {
    await act();
    return 'accepted';
  } catch (error) {
    return { error };
  }
}

function isNamed(outcome: Refusal, names: readonly string[]): boolean {
  if (outcome === 'accepted') return false;
  const { error } = outcome;
  if (!(error instanceof TypeError) && !SdkError.is(error)) return false;
  return names.some((name) => error.message.includes(name)) && !error.message.includes('sk-secret');
}

function describe(outcome: Refusal): string {
  if (outcome === 'accepted') return 'it was accepted';
  const { error } = outcome;
  return error instanceof Error ? (error.stack ?? error.message) : `threw ${typeof error}`;
}
