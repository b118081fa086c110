import { deny } from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import type { Conversation } from './conversation.ts';
import { withoutIds, once, delegating, inForeground, withoutAsking, followTheReport } from './scripts.ts';

export const withSubagents: Readonly<Record<string, Conversation>> = {
  'a subagent, flat': inForeground,
  'a subagent, nested': { ...withoutAsking, subagents: 'nested' },
  'a subagent, left out': { ...withoutAsking, subagents: 'drop' },
  'a subagent that is denied a tool': { ...inForeground, decide: () => deny('no') },
  'a nested subagent that a person is asked about': {
    ...inForeground,
    subagents: 'nested',
    asStored: {
      because: 'who was asked is not stored, so the call is in the part of its subagent again',
      answers: () => undefined,
    },
  },
  'a subagent in the background': {
    script: delegating({}),
    drive: followTheReport,
    options: { permissions: { allow: ['Bash'] } },
    asStored: {
      because: 'what it does after the end of the turn is in no turn, and the report has no id before it is stored',
      answers: () => undefined,
    },
  },
  'a shell in the background': {
    script: once(toolUse('Bash', { command: 'sleep 0.1; echo late', run_in_background: true })),
    drive: followTheReport,
    asStored: { because: 'the report has no id before it is stored', answers: withoutIds },
  },
};
