import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Script } from '@hexagent/testing/loopback';
import { stage, type Stage } from '../support/stage.ts';

/** One thing that a program can have from the CLI. It throws where the CLI lacks that. */
export interface Probe {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A probe on a stage of its own. */
export const on = (name: string, script: Script, act: (place: Stage) => Promise<void>): Probe => ({
  name,
  run: async () => {
    await using place = await stage(script, { IS_SANDBOX: '1' });
    await act(place);
  },
});

export const made = (place: Stage, file = 'made'): boolean => existsSync(join(place.home.cwd, file));

export const greeter = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../fixtures/greeting-server.mjs', import.meta.url))],
};

export const schema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] } as const;

export const colours = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: [
        { label: 'red', description: 'It is red.' },
        { label: 'blue', description: 'It is blue.' },
      ],
    },
  ],
};

export function includes(text: unknown, part: string): void {
  assert(String(text).includes(part), `${part} is missing in ${String(text).slice(0, 100)}`);
}
