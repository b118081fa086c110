import { conversationsContract, plantedFaults } from '@hexagent/testing/contracts';
import { beforeEach, describe, it } from 'vitest';
import { ofAborting, ofClosing, ofLeaving } from './faults-of-endings.ts';
import { ofFinishing, ofIdling } from './faults-of-finishing.ts';
import { ofInterrupts } from './faults-of-interrupts.ts';
import { ofControl, ofEvents, ofReading } from './faults-of-reading.ts';
import { ofReceiving, ofSharing } from './faults-of-sharing.ts';
import { ofOpening, ofTurns } from './faults-of-turns.ts';
import { faulty, talks, type Fault } from './faulty-conversations.ts';

const unhandled: Fault = [
  'leaves rejections unhandled',
  talks((kept) => ({ control: (...given) => kept.control(...given).then((answer) => answer) })),
  [
    'when the agent dies',
    'when the agent cannot be read any more',
    'when the conversation is closed',
    'when the conversation is aborted',
    'when something of the agent could not be ended',
  ],
];

/** Removes the listeners of the test runner, which takes an unhandled rejection for an error of the file. Returns what restores them. */
function silence(): () => Promise<void> {
  const listeners = process.listeners('unhandledRejection');
  const ignore = (): void => {};
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', ignore);
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', ignore);
    for (const listener of listeners) process.on('unhandledRejection', listener);
  };
}

describe('The contract of conversations', () => {
  beforeEach(({ task, onTestFinished }) => {
    if (task.name.includes(unhandled[0])) onTestFinished(silence());
  });

  plantedFaults(
    { it },
    {
      suite: conversationsContract,
      kept: faulty(() => ({})),
      rounds: 1000,
      faults: [
        ...[ofOpening, ofTurns, ofSharing, ofReceiving, ofInterrupts, ofReading, ofEvents, ofIdling].flat(),
        ...[ofFinishing, ofClosing, ofAborting, ofLeaving, ofControl].flat(),
        unhandled,
      ],
    },
  );
});
