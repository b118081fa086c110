import { assert } from './assert.ts';
import type { ChatAnswer, ChatSettlement } from '@hexagent/ports';
import {
  accepted,
  ada,
  of,
  runChatPromises,
  wholeTurn,
  type AskedOfPerson,
  type ChatPromises,
  type ChatReading,
  type ChatsFixture,
  type ContractTurn,
  type OpenedChats,
  type ReceivedAnswer,
} from './chat-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** What every `ChatApprovals` promises, beside the chats whose agents ask. */
export function chatApprovalsContract(runner: Runner, fixture: ChatsFixture): void {
  const limited = limitedRunner('chatApprovalsContract', runner, fixture);
  const { open } = fixture;
  limited.describe('ChatApprovals contract', () => runChatPromises(limited, open, promises));
}

interface Asked {
  readonly turn: ContractTurn;
  readonly reading: ChatReading;
  readonly answer: Promise<ReceivedAnswer>;
  settle(answer: ChatAnswer): Promise<ChatSettlement>;
  readonly id: string;
}

/** A turn whose agent waits for a person. */
async function asked(chats: OpenedChats, request: AskedOfPerson = { kind: 'permission' }): Promise<Asked> {
  const reading = await accepted(chats, 'chat', { id: 'one' });
  const turn = await chats.turn('chat', ada);
  const { id, answer } = await turn.ask(request);
  return { turn, reading, answer, id, settle: (given) => chats.approvals.settle('chat', id, given, ada) };
}

const settled: ChatSettlement = { kind: 'settled' };

async function refuses({ settle }: Asked, answer: ChatAnswer): Promise<void> {
  const settlement = await settle(answer);
  assert.ok(settlement.kind === 'refused', `${JSON.stringify(answer)} is ${settlement.kind}, not refused.`);
  assert.ok(settlement.reason !== '', 'It is not said why.');
}

const promises: ChatPromises = {
  async 'gives an approval to the agent, which continues'(chats) {
    const { turn, reading, answer, settle } = await asked(chats);
    assert.deepEqual(await settle({ approved: true }), settled);
    assert.equal((await answer).approved, true);
    await turn.write('it ran.');
    await turn.end();
    assert.ok((await reading.rest()).includes('it ran.'));
  },

  async 'gives a refusal to the agent, with its reason'(chats) {
    const { answer, settle } = await asked(chats);
    assert.deepEqual(await settle({ approved: false, reason: 'not on a Friday' }), settled);
    const { approved, text } = await answer;
    assert.deepEqual([approved, text.includes('not on a Friday')], [false, true]);
  },

  async 'lets the first answer count, and tells the second what came of it'(chats) {
    const { answer, settle } = await asked(chats);
    assert.deepEqual(await settle({ approved: false }), settled);
    for (const approved of [true, false]) {
      const second = await settle({ approved });
      assert.ok(second.kind === 'already' && second.state !== '', `The second answer is ${JSON.stringify(second)}.`);
    }
    assert.equal((await answer).approved, false);
  },

  async 'lets one of many answers count that come at the same time'(chats) {
    const { answer, settle } = await asked(chats);
    const given = Array.from({ length: 20 }, (_, at) => at % 2 === 0);
    const outcomes = await Promise.all(given.map((approved) => settle({ approved })));
    assert.equal(outcomes.filter(({ kind }) => kind === 'settled').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'already').length, 19);
    assert.equal((await answer).approved, given[outcomes.findIndex(({ kind }) => kind === 'settled')]);
  },

  async 'answers `unknown` to an approval that was never asked for'(chats) {
    assert.deepEqual(await chats.approvals.settle('chat', 'none', { approved: true }, ada), { kind: 'unknown' });
    await wholeTurn(chats, 'chat', 'one');
    assert.deepEqual(await chats.approvals.settle('chat', 'none', { approved: true }, ada), { kind: 'unknown' });
  },

  async 'knows an approval in its own chat only, and for its own tenant'(chats) {
    const { id, answer, settle } = await asked(chats);
    await wholeTurn(chats, 'another', 'one');
    await wholeTurn(chats, 'chat', 'one', of('north'));
    for (const [chat, caller] of [
      ['another', ada],
      ['chat', of('north')],
      ['chat', of('south')],
    ] as const)
      assert.deepEqual(await chats.approvals.settle(chat, id, { approved: true }, caller), { kind: 'unknown' });
    assert.deepEqual(await settle({ approved: false }), settled);
    assert.equal((await answer).approved, false);
  },

  async 'takes over the suggestions that were chosen, and no others'(chats) {
    const { answer, settle } = await asked(chats, { kind: 'permission', suggestions: 2 });
    assert.deepEqual(await settle({ approved: true, suggestions: [1] }), settled);
    assert.equal((await answer).suggestions, 1);
  },

  async 'takes over no suggestion unless it was chosen'(chats) {
    const { answer, settle } = await asked(chats, { kind: 'permission', suggestions: 2 });
    assert.deepEqual(await settle({ approved: true }), settled);
    assert.equal((await answer).suggestions, 0);
  },

  async 'gives the answers to a question to the agent'(chats) {
    const { answer, settle } = await asked(chats, { kind: 'question' });
    assert.deepEqual(await settle({ approved: true, answers: { 'Which?': 'that' } }), settled);
    const { approved, text } = await answer;
    assert.deepEqual([approved, text.includes('that')], [true, true]);
  },

  async 'gives a plan to the agent as the person changed it'(chats) {
    const { answer, settle } = await asked(chats, { kind: 'plan' });
    assert.deepEqual(await settle({ approved: true, plan: 'Rather this.' }), settled);
    const { approved, text } = await answer;
    assert.deepEqual([approved, text.includes('Rather this.')], [true, true]);
  },

  async 'refuses an answer that does not fit, says why, and still waits'(chats) {
    const given = await asked(chats, { kind: 'permission', suggestions: 1 });
    await refuses(given, { approved: true, suggestions: [1] });
    await refuses(given, { approved: true, plan: 'Rather this.' });
    await refuses(given, { approved: true, answers: { 'Which?': 'that' } });
    assert.deepEqual(await given.settle({ approved: false }), settled);
    assert.equal((await given.answer).approved, false);
  },

  async 'refuses to approve a question without an answer to it'(chats) {
    const given = await asked(chats, { kind: 'question' });
    await refuses(given, { approved: true });
    assert.deepEqual(await given.settle({ approved: false }), settled);
    assert.equal((await given.answer).approved, false);
  },

  async 'does nothing with an answer to what was withdrawn'(chats) {
    const { reading, settle } = await asked(chats);
    assert.equal(await chats.sessions.interrupt('chat', ada), true);
    await reading.rest();
    const late = await settle({ approved: true });
    assert.ok(late.kind === 'already' && late.state !== '', `The late answer is ${JSON.stringify(late)}.`);
  },
};
