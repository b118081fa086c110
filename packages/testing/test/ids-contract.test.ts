import type { Ids } from '@hexagent/ports';
import { CountedIds } from '@hexagent/testing';
import { idsContract, plantedFaults, type IdsFixture } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';

const kept: IdsFixture = { createIds: () => new CountedIds() };

const spoiled = (change: (ids: Ids) => Partial<Ids>): IdsFixture => ({
  createIds() {
    const ids = new CountedIds();
    return { request: () => ids.request(), uuid: () => ids.uuid(), ...change(ids) };
  },
});

idsContract({ describe, it }, kept);

describe('The contract of ids', () => {
  plantedFaults(
    { it },
    {
      suite: idsContract,
      kept,
      faults: [
        [
          'numbers requests',
          spoiled(() => {
            let count = 0;
            return { request: () => (count += 1) as unknown as string };
          }),
          'names a request by a text',
        ],
        ['has one name', spoiled(() => ({ request: () => 'r' })), 'gives no two requests the same name'],
        [
          'makes uuids without dashes',
          spoiled((ids) => ({ uuid: () => ids.uuid().replaceAll('-', '') })),
          'names a message by a uuid, as the agent insists',
        ],
        [
          'has one uuid',
          spoiled((ids) => {
            const only = ids.uuid();
            return { uuid: () => only };
          }),
          'gives no two messages the same name',
        ],
      ],
    },
  );
});
