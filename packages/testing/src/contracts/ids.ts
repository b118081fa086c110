import { assert } from './assert.ts';
import type { Ids } from '@hexagent/ports';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** Ids under test. */
export interface IdsFixture {
  readonly createIds: () => Ids;
}

/** What every `Ids` promises. */
export function idsContract(runner: Runner, fixture: IdsFixture): void {
  const { describe, it } = limitedRunner('idsContract', runner, fixture);
  describe('Ids contract', () => {
    for (const [name, keep] of Object.entries(promises)) it(name, async () => keep(fixture.createIds()));
  });
}

const many = 1000;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

function made<T>(make: () => T): readonly T[] {
  return Array.from({ length: many }, make);
}

const promises: Readonly<Record<string, (ids: Ids) => void>> = {
  'names a request by a text'(ids) {
    for (const id of made(() => ids.request()))
      assert.ok(typeof id === 'string' && id !== '', `it is ${JSON.stringify(id)}`);
  },

  'gives no two requests the same name'(ids) {
    assert.equal(new Set(made(() => ids.request())).size, many);
  },

  'names a message by a uuid, as the agent insists'(ids) {
    for (const id of made(() => ids.uuid())) assert.match(id, uuid);
  },

  'gives no two messages the same name'(ids) {
    assert.equal(new Set(made(() => ids.uuid())).size, many);
  },
};
