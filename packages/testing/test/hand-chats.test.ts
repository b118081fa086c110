import { chatApprovalsContract, chatHistoryContract, chatSessionsContract } from '@hexagent/testing/contracts';
import { HandTurn } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { handChatsFixture } from './chat-fixture.ts';

const runner = { describe, it };

describe('Chats that a test writes by hand', () => {
  chatSessionsContract(runner, handChatsFixture());
  chatHistoryContract(runner, handChatsFixture());
  chatApprovalsContract(runner, handChatsFixture());
});

describe('A turn that a test writes by hand', () => {
  it('counts the readers that went away', async () => {
    const turn = new HandTurn();
    const [first, second] = [turn.read(), turn.read()];
    await first.body.cancel();
    turn.write('for one');
    turn.end();
    expect([await new Response(second.body).text(), turn.cancelled]).toEqual(['for one', 1]);
  });

  it('breaks off for those who read it, and is over', async () => {
    const turn = new HandTurn();
    const reading = new Response(turn.read().body).text();
    turn.fail(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    turn.write('too late');
    turn.end();
  });
});
