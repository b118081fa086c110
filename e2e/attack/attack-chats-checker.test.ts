import { describe, expect, it } from 'vitest';
import {
  approvalOf,
  chatViolations,
  messageOf,
  newChatAccount,
  type ChatAccount,
  type ReadStream,
} from './chats/chat-account.ts';

const whole: ReadStream = { of: 'chat-1 a0', errors: [], hasEnded: true, last: 'finish', answers: 1, isLate: false };

/** An account in which a message was run, an approval answered, and nothing went wrong. */
function clean(): ChatAccount {
  const account = newChatAccount();
  for (const name of ['chat-1 a0', 'chat-1 b0'])
    Object.assign(messageOf(account, name), { isAccepted: true, state: 'completed', ran: 1, asked: 1, answered: 1 });
  const approval = approvalOf(account, 'use-1');
  approval.taken.push('allow');
  approval.refused.push('answered');
  approval.received.push('allow');
  account.streams.push(whole);
  return account;
}

function check(spoil: (account: ChatAccount) => unknown): readonly string[] {
  const account = clean();
  spoil(account);
  return chatViolations(account);
}

const read = (account: ChatAccount, changes: Partial<ReadStream>): unknown =>
  account.streams.push({ ...whole, ...changes });

/** One violation of each kind, and what the checker has to say about it. */
const planted: readonly (readonly [what: string, spoil: (account: ChatAccount) => unknown, finding: string])[] = [
  [
    'a lost message',
    (account) => Object.assign(messageOf(account, 'chat-1 a0'), { state: 'queued', ran: 0, answered: 0 }),
    'chat-1 a0: queued, ran 0 times',
  ],
  ['a message that ran twice', (account) => (messageOf(account, 'chat-1 a0').ran = 2), 'ran 2 times'],
  ['an answer that the history lacks', (account) => (messageOf(account, 'chat-1 a0').answered = 0), 'answered 0 times'],
  ['a message twice in the history', (account) => (messageOf(account, 'chat-1 a0').asked = 2), 'asked 2 times'],
  [
    'a message that ran twice without being accepted',
    (account) => Object.assign(messageOf(account, 'chat-1 b0'), { isAccepted: false, ran: 2 }),
    'was not accepted, but ran 2 times',
  ],
  [
    'a message taken back although nobody stopped anything',
    (account) => Object.assign(messageOf(account, 'chat-1 a0'), { state: 'cancelled', ran: 0, asked: 0, answered: 0 }),
    'chat-1 a0: cancelled',
  ],
  ['an approval answered twice', (account) => approvalOf(account, 'use-1').taken.push('deny'), 'was taken 2 times'],
  ['two answers at the agent', (account) => approvalOf(account, 'use-1').received.push('allow'), 'got 2 answers'],
  [
    'an allow that was a deny',
    (account) => approvalOf(account, 'use-1').taken.splice(0, 1, 'deny'),
    'the page said deny, the agent got allow',
  ],
  ['an allow of nobody', (account) => approvalOf(account, 'use-2').received.push('allow'), 'allowed by nobody'],
  [
    'an allow where a page said deny and its server died',
    (account) => {
      approvalOf(account, 'use-2').unsure.push('deny');
      approvalOf(account, 'use-2').received.push('allow');
    },
    'allowed by nobody',
  ],
  ['a 409 without a 200', (account) => approvalOf(account, 'use-2').refused.push('answered'), 'answered by nobody'],
  ['a stream that cannot be read', (account) => read(account, { errors: ['no such part'] }), 'read: no such part'],
  ['a stream that does not end', (account) => read(account, { hasEnded: false }), 'does not end'],
  ['a stream that breaks off', (account) => read(account, { last: undefined }), 'without an end of its message'],
  ['an answer twice in a stream', (account) => read(account, { answers: 2 }), 'the answer 2 times'],
  ['a complete stream without the answer', (account) => read(account, { answers: 0 }), 'without the answer'],
  ['what was odd', (account) => account.odd.push('close() does not resolve'), 'close() does not resolve'],
];

describe('The checker of the attack on chats', () => {
  it('finds nothing where nothing went wrong', () => {
    expect(check(() => {})).toEqual([]);
  });

  it.each(planted)('finds %s', (_, spoil, finding) => {
    expect(check(spoil)).toContainEqual(expect.stringContaining(finding));
  });

  it('takes an answer for given whose server died before it said so', () => {
    const unheard = (account: ChatAccount): void => {
      const approval = approvalOf(account, 'use-2');
      approval.unsure.push('allow');
      approval.received.push('allow');
      approval.refused.push('answered');
    };
    expect(check(unheard)).toEqual([]);
  });

  it('takes a message for taken back where a page stopped its chat before an agent had it', () => {
    const stopped = (account: ChatAccount): void => {
      account.stopped.add('chat-1');
      Object.assign(messageOf(account, 'chat-1 a0'), { state: 'cancelled', ran: 0, asked: 0, answered: 0 });
    };
    expect(check(stopped)).toEqual([]);
  });
});
