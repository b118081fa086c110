import type { ChatApprovals } from '@hexagent/ports';

import { anybody, type Fault } from './contract-faults.ts';

export const ofApprovals: readonly Fault<ChatApprovals>[] = [
  [
    'gives the agent no answer',
    () => ({ settle: async () => ({ kind: 'settled' }) }),
    'gives an approval to the agent, which continues',
  ],
  [
    'allows what was denied',
    (kept) => ({
      settle: (chat, id, answer, caller) => kept.settle(chat, id, { ...answer, approved: true }, caller),
    }),
    'gives a refusal to the agent, with its reason',
  ],
  [
    'loses the reason',
    (kept) => ({
      settle: (chat, id, answer, caller) => kept.settle(chat, id, { ...answer, reason: undefined }, caller),
    }),
    'gives a refusal to the agent, with its reason',
  ],
  [
    'calls every answer settled',
    (kept) => ({ settle: (...given) => kept.settle(...given).then(() => ({ kind: 'settled' })) }),
    'lets one of many answers count that come at the same time',
  ],
  [
    'forgets what was answered',
    (kept) => ({
      settle: async (...given) => {
        const settlement = await kept.settle(...given);
        return settlement.kind === 'already' ? { kind: 'unknown' } : settlement;
      },
    }),
    'lets the first answer count, and tells the second what came of it',
  ],
  [
    'calls what is unknown answered already',
    (kept) => ({
      settle: async (...given) => {
        const settlement = await kept.settle(...given);
        return settlement.kind === 'unknown' ? { kind: 'already', state: 'lost' } : settlement;
      },
    }),
    'answers `unknown` to an approval that was never asked for',
  ],
  [
    'knows approvals in every chat',
    (kept) => ({ settle: (_, ...more) => kept.settle('chat', ...more) }),
    'knows an approval in its own chat only, and for its own tenant',
  ],
  [
    'knows approvals of every tenant',
    (kept) => ({ settle: (chat, id, answer) => kept.settle(chat, id, answer, anybody) }),
    'knows an approval in its own chat only, and for its own tenant',
  ],
  [
    'takes over every suggestion',
    (kept) => ({
      settle: async (chat, id, answer, caller) => {
        const all = await kept.settle(chat, id, { ...answer, suggestions: [0, 1] }, caller);
        return all.kind === 'refused' ? await kept.settle(chat, id, answer, caller) : all;
      },
    }),
    'takes over no suggestion unless it was chosen',
  ],
  [
    'takes over none',
    (kept) => ({
      settle: (chat, id, { suggestions: _, ...answer }, caller) => kept.settle(chat, id, answer, caller),
    }),
    'takes over the suggestions that were chosen, and no others',
  ],
  [
    'takes an answer for one that fits',
    (kept) => ({
      settle: (chat, id, { approved, reason }, caller) => kept.settle(chat, id, { approved, reason }, caller),
    }),
    'refuses an answer that does not fit, says why, and still waits',
  ],
  [
    'loses the answer to a question',
    (kept) => ({
      settle: (chat, id, answer, caller) =>
        kept.settle(chat, id, answer.answers === undefined ? answer : { ...answer, answers: {} }, caller),
    }),
    'gives the answers to a question to the agent',
  ],
  [
    'approves a question without an answer',
    (kept) => ({
      settle: async (chat, id, answer, caller) => {
        const settlement = await kept.settle(chat, id, answer, caller);
        return settlement.kind === 'refused' && answer.approved
          ? await kept.settle(chat, id, { ...answer, answers: {} }, caller)
          : settlement;
      },
    }),
    'refuses to approve a question without an answer to it',
  ],
  [
    'loses the changed plan',
    (kept) => ({
      settle: (chat, id, answer, caller) =>
        kept.settle(chat, id, answer.plan === undefined ? answer : { ...answer, plan: '' }, caller),
    }),
    'gives a plan to the agent as the person changed it',
  ],
  [
    'settles what it refuses',
    (kept) => ({
      settle: async (chat, id, answer, caller) => {
        const settlement = await kept.settle(chat, id, answer, caller);
        if (settlement.kind === 'refused') await kept.settle(chat, id, { approved: false }, caller);
        return settlement;
      },
    }),
    'refuses an answer that does not fit, says why, and still waits',
  ],
  [
    'settles what was withdrawn',
    (kept) => ({
      settle: async (...given) => {
        const settlement = await kept.settle(...given);
        return settlement.kind === 'already' && settlement.state === 'cancelled' ? { kind: 'settled' } : settlement;
      },
    }),
    'does nothing with an answer to what was withdrawn',
  ],
];
