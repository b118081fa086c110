import type { CommandReader, CommandReading } from '@hexagent/ports';
import { plainCommands } from '@hexagent/testing';
import { commandReaderContract, plantedFaults, type PlantedFault } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';

const faulty = (change: (reading: CommandReading, text: string) => Partial<CommandReading>): CommandReader => ({
  read(text, shell) {
    const reading = plainCommands.read(text, shell);
    return { ...reading, ...change(reading, text) };
  },
});

const words = (text: string) => text.split(' ').map((word) => ({ text: word, form: 'plain' as const }));
let calls = 0;

const faults: readonly PlantedFault<CommandReader>[] = [
  [
    'overlooks what it cannot read',
    faulty(() => ({ anything: undefined })),
    [
      'finds a program that the text runs, or takes it for one that may run anything',
      'finds a command of PowerShell by each of its names',
    ],
  ],
  [
    'is certain of everything',
    faulty(() => ({ isCertain: true })),
    [
      'is certain only of parts that it has as candidates, and of nothing that may run anything',
      'is certain of a command only where its parts are the words that its programs receive',
    ],
  ],
  [
    'splits at blanks alone',
    faulty((_, text) => ({ parts: [words(text)], isCertain: true })),
    [
      'is certain only of parts that it has as candidates, and of nothing that may run anything',
      'is certain of a command only where its parts are the words that its programs receive',
      'takes only what is written as it is read for plain',
    ],
  ],
  [
    'takes all words for plain',
    faulty((_, text) => ({ parts: [words(text)] })),
    [
      'is certain only of parts that it has as candidates, and of nothing that may run anything',
      'takes only what is written as it is read for plain',
    ],
  ],
  ['overlooks redirections', faulty(() => ({ writesFile: false })), 'reports that a redirection may write to a file'],
  [
    'throws',
    faulty((_, text) => {
      if (text.includes('\0')) throw new TypeError('odd');
      return {};
    }),
    ['is certain only of parts that it has as candidates, and of nothing that may run anything', 'reads any text'],
  ],
  [
    'is not the same twice',
    faulty(() => ({ anything: `call ${(calls += 1)}` })),
    [
      'is certain only of parts that it has as candidates, and of nothing that may run anything',
      'reads the same text in the same way each time',
    ],
  ],
  [
    'knows a command of PowerShell by one name',
    faulty((_, text) => (text.startsWith('ri ') ? { anything: undefined, candidates: [], scripts: [] } : {})),
    'finds a command of PowerShell by each of its names',
  ],
];

describe('The contract of readers of commands', () => {
  plantedFaults(
    { it },
    {
      suite: (runner, reader) => commandReaderContract(runner, { reader }),
      kept: plainCommands,
      faults,
      without: { 'takes no noticeable time for a long text': 'Such a fault would take ten seconds.' },
    },
  );
});
