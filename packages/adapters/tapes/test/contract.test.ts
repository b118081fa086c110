import path from 'node:path';
import { recordTo, tapped } from '@hexagent/tapes';
import { linkedAgents, transportContract } from '@hexagent/testing/contracts';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

let folder = '';
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'hexagent-tapes-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('A recorded transport', () => {
  transportContract(
    { describe, it },
    linkedAgents((transport) => recordTo(folder, { transport })),
  );
});

describe('A transport whose sink throws', () => {
  transportContract(
    { describe, it },
    linkedAgents((transport) =>
      tapped(transport, () => () => {
        throw new Error('This sink always fails.');
      }),
    ),
  );
});

describe('A transport whose tape cannot be written', () => {
  transportContract(
    { describe, it },
    linkedAgents((transport) => recordTo('/dev/null/a.tape', { transport })),
  );
});
