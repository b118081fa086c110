import type { AgentMessage, SessionFeature, TranscriptMirrorFrame } from '@hexagent/ports';
import { answering } from '@hexagent/testing';
import { plantedFaults, sessionFeatureContract, type SessionFeatureFixture } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';

/** A feature with every member that the suite calls. */
function whole(): SessionFeature {
  return {
    ...answering({ can_use_tool: async () => ({ behavior: 'allow' }) }),
    initialize: { title: 'A title' },
    mayBeAsked: () => false,
    attach: () => {},
    receive: () => {},
    close: async () => {},
  };
}

const spoiled = (change: () => Partial<SessionFeature>): SessionFeatureFixture => ({
  createFeature: () => ({ ...whole(), ...change() }),
});
const kept = spoiled(() => ({}));
let titles = 0;

sessionFeatureContract({ describe, it }, kept);
sessionFeatureContract({ describe, it }, { createFeature: () => answering({}) });

function marks(message: AgentMessage | TranscriptMirrorFrame): void {
  if (!Object.isFrozen(message)) Object.assign(message, { seen: true });
}

describe('The contract of features', () => {
  plantedFaults(
    { it },
    {
      suite: sessionFeatureContract,
      kept,
      faults: [
        ['has no name', spoiled(() => ({ name: ' ' })), 'has a name, by which messages about it are understood'],
        [
          'is one for all conversations',
          (() => {
            const only = whole();
            return { createFeature: () => only };
          })(),
          'is another object for each conversation',
        ],
        [
          'registers something else each time',
          spoiled(() => ({ initialize: { title: `Title ${(titles += 1)}` } })),
          'has fields of `initialize` that JSON can carry, the same in each conversation',
        ],
        [
          'has a text for a handler',
          spoiled(() => ({ handlers: { can_use_tool: 'allow' as never } })),
          'has a function for each request that it answers',
        ],
        [
          'does not know whether it may be asked',
          spoiled(() => ({ mayBeAsked: () => undefined as unknown as boolean })),
          'reports whether it may be asked as `true` or `false`, before and after its conversation',
        ],
        ['marks messages', spoiled(() => ({ receive: marks })), 'leaves messages as they are'],
        [
          'needs a message before its end',
          spoiled(() => {
            let seen = 0;
            return {
              receive: () => void (seen += 1),
              attach: () => void (seen -= 1),
              close: async () => {
                if (seen === -1) throw new Error('There was no message.');
              },
            };
          }),
          'takes a conversation without any message',
        ],
        [
          'cannot be closed before it is attached',
          spoiled(() => {
            let isAttached = false;
            return {
              attach: () => void (isAttached = true),
              close: async () => {
                if (!isAttached) throw new Error('It is not attached.');
              },
            };
          }),
          'can be closed where the agent could not be started',
        ],
      ],
    },
  );
});
