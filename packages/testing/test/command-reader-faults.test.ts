import type { CommandReader, CommandReading } from '@hexagent/ports';
import { plainCommands } from '@hexagent/testing';
import { brokenPromises, commandReaderContract } from '@hexagent/testing/contracts';
import { expect, it } from 'vitest';

const faulty = (change: (reading: CommandReading, text: string) => Partial<CommandReading>): CommandReader => ({
  read(text, shell) {
    const reading = plainCommands.read(text, shell);
    return { ...reading, ...change(reading, text) };
  },
});

const words = (text: string) => text.split(' ').map((word) => ({ text: word, form: 'plain' as const }));
let calls = 0;

it.each<[string, CommandReader, string]>([
  [
    'overlooks what it cannot read',
    faulty(() => ({ anything: undefined })),
    'finds a program that the text runs, or takes it for one that may run anything',
  ],
  [
    'is certain of everything',
    faulty(() => ({ isCertain: true })),
    'is certain only of parts that it has as candidates, and of nothing that may run anything',
  ],
  [
    'splits at blanks alone',
    faulty((_, text) => ({ parts: [words(text)], isCertain: true })),
    'is certain of a command only where its parts are the words that its programs receive',
  ],
  [
    'takes all words for plain',
    faulty((_, text) => ({ parts: [words(text)] })),
    'takes only what is written as it is read for plain',
  ],
  ['overlooks redirections', faulty(() => ({ writesFile: false })), 'reports that a redirection may write to a file'],
  [
    'throws',
    faulty((_, text) => {
      if (text.includes('\0')) throw new TypeError('odd');
      return {};
    }),
    'reads any text',
  ],
  [
    'is not the same twice',
    faulty(() => ({ anything: `call ${(calls += 1)}` })),
    'reads the same text in the same way each time',
  ],
])('commandReaderContract finds a reader that %s', async (_, reader, promise) => {
  expect(await brokenPromises((runner) => commandReaderContract(runner, { reader }))).toContain(promise);
});
