import { assert } from './assert.ts';
import { SdkError, type AgentMessage, type ConversationEvent } from '@hexagent/ports';
import { agentFrames } from '../doubles/agent-frames.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { brief, converse, firstUnsent, unwritable, type ConversationsPromises } from './conversations-fixture.ts';
import { assertMatches, assertRejects, collect } from './matching.ts';

const { init, interrupted, lifecycle, result, assistantText, state, wholeTurn } = agentFrames;
const kilobyte = 'x'.repeat(1000);
const discarded = { code: 'MESSAGES_DISCARDED' };

/** A short form of events: the kind, and what it is about. Turns are named by their place in `turns`. */
function short(events: readonly ConversationEvent[], ...turns: readonly { readonly id: string }[]): string[] {
  const names = new Map(turns.map(({ id }, index) => [id, `${index}`]));
  return events.map((event) => {
    const turn = 'turn' in event && event.turn !== undefined ? ` ${names.get(event.turn) ?? '?'}` : '';
    const within = 'within' in event && event.within !== undefined ? ` within ${names.get(event.within) ?? '?'}` : '';
    return event.kind === 'message' ? `${brief(event.message).slice(0, 30)}${turn}` : `${event.kind}${turn}${within}`;
  });
}

/** Every event up to the end, and proof that they are in order. */
async function all(reader: AsyncIterable<ConversationEvent>): Promise<readonly ConversationEvent[]> {
  const seen = await collect(reader);
  const places = seen.map(({ seq }) => seq);
  assert.deepEqual(
    places,
    [...new Set(places)].toSorted((one, other) => one - other),
  );
  assert.equal(
    seen.findIndex(({ kind }) => kind === 'exited'),
    seen.length - 1,
  );
  return seen;
}

function messagesOf(events: readonly ConversationEvent[]): AgentMessage[] {
  return events.flatMap((event) => (event.kind === 'message' ? [event.message] : []));
}

const broken = new SdkError('LINE_TOO_LONG', 'Too long.');
/** How a conversation with a running turn and two unread messages ends, by what ends it. */
const endings = {
  close: { closing: undefined, events: ['turn_sent 0', 'turn_started 0', 'closing', 'turn_ended 0'] },
  abort: {
    closing: { name: 'AbortError', cause: 'enough' },
    events: ['turn_sent 0', 'turn_started 0', 'closing', 'turn_cut 0'],
  },
  break: {
    closing: broken,
    events: ['turn_sent 0', 'turn_started 0', 'system/init 0', 'one 0', 'closing', 'turn_cut 0'],
  },
};

/** `events()`. */
export const events: ConversationsPromises = {
  'gives each turn its beginning, its messages and its end in the order of the wire, each event with the next number':
    async (fixture) => {
      const { conversation, agent } = await converse(fixture);
      const reading = all(conversation.events());
      const first = conversation.send('a');
      agent.write(...wholeTurn(first.id, 'hi'), { type: 'prompt_suggestion', suggestion: 'next' });
      await first.result;
      const second = conversation.send({ content: 'b', uuid: 'named' });
      agent.write(...wholeTurn(second.id, 'ho'));
      agent.exit();
      const seen = await reading;
      assert.deepEqual(
        seen.map(({ seq }) => seq),
        [...seen.keys()].map((index) => index + 1),
      );
      assert.deepEqual(short(seen, first, second), [
        ...['turn_sent 0', 'turn_started 0', 'system/init 0', 'hi 0', 'result/success 0', 'turn_ended 0'],
        ...['idle', 'prompt_suggestion', 'turn_sent 1'],
        // The beginning comes before the frame that names it.
        ...['command_lifecycle 1', 'turn_started 1', 'command_lifecycle 1', 'system/init 1', 'ho 1'],
        ...['result/success 1', 'turn_ended 1', 'command_lifecycle', 'idle', 'exited'],
      ]);
    },

  'names the turn that has the messages of one that was folded or merged, and ends both with the very same outcome':
    async (fixture) => {
      const { conversation, agent } = await converse(fixture);
      const reading = all(conversation.events());
      const sent = ['a', 'b', 'c'].map((text) => conversation.send(text));
      const [running, folded, merged] = sent.map(({ id }) => id) as [string, string, string];
      agent.write(lifecycle(running, 'started'), init(running), lifecycle(folded, 'started'), assistantText('both'));
      agent.write(lifecycle(folded, 'completed'), result({ user_message_uuids: [running, folded, merged] }));
      agent.exit();
      const seen = await reading;
      assert.deepEqual(short(seen, ...sent).slice(3), [
        ...['turn_started 0', 'system/init 0', 'turn_started 1 within 0', 'both 0', 'turn_started 2 within 0'],
        ...['result/success 0', 'turn_ended 0', 'turn_ended 1', 'turn_ended 2', 'idle', 'exited'],
      ]);
      const outcomes = seen.flatMap((event) => (event.kind === 'turn_ended' ? [event.outcome] : []));
      assert.equal(new Set(outcomes).size, 1);
    },

  'names an unsolicited turn, and ends a turn that never ran or could not be written': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const reading = all(conversation.events());
    const [unwritten, withdrawn] = [conversation.send(unwritable), conversation.send('b')];
    await assertRejects(unwritten.result, { code: 'FRAME_INVALID' });
    agent.write(lifecycle(withdrawn.id, 'queued'), init(), assistantText('report'), result());
    agent.write(lifecycle(withdrawn.id, 'cancelled'));
    agent.exit();
    const seen = await reading;
    assert.deepEqual(short(seen, unwritten, withdrawn), [
      ...['turn_sent 0', 'turn_sent 1', 'turn_cut 0', 'turn_started ?', 'system/init ?', 'report ?'],
      ...['result/success ?', 'turn_ended ?', 'turn_ended 1', 'idle', 'exited'],
    ]);
    assertMatches(seen[3], { isUnsolicited: true });
  },

  'reports every ending: an end that this side wants drops unread messages, and no end of a turn': async (fixture) => {
    for (const [end, { closing, events: expected }] of Object.entries(endings)) {
      const controller = new AbortController();
      const { conversation, agent } = await converse(fixture, { signal: controller.signal });
      const unread = conversation.events();
      const turn = conversation.send('a');
      agent.write(lifecycle(turn.id, 'started'), init(turn.id), assistantText('one'));
      await microtasks();
      if (end === 'close') void conversation.close();
      else if (end === 'abort') controller.abort('enough');
      else agent.breakOff(broken);
      await agent.ended;
      agent.write(assistantText('two'), interrupted(turn.id));
      agent.exit();
      const seen = await all(unread);
      assert.deepEqual(short(seen, turn), [...expected, 'exited'], end);
      assertMatches(
        seen.find(({ kind }) => kind === 'closing'),
        { error: closing },
      );
    }
    const { conversation, agent } = await converse(fixture);
    const unread = conversation.events();
    const turn = conversation.send('a');
    agent.exit({ code: 1 });
    const seen = await all(unread);
    assert.deepEqual(short(seen, turn), ['turn_sent 0', 'turn_cut 0', 'exited']);
    assertMatches(seen.at(-1), { exit: { code: 1 }, error: { code: 'AGENT_EXITED' } });
  },

  'pauses the agent for a slow reader and loses nothing, but not once `idle()` or `finish()` waits before the first `next()`':
    async (fixture) => {
      for (const waits of ['idle', 'finish', undefined] as const) {
        const { conversation, agent } = await converse(fixture, { softMarkBytes: 5000 });
        const reader = conversation.events();
        const turn = conversation.send('a');
        void turn.result;
        agent.write(lifecycle(turn.id, 'started'), init(turn.id));
        for (let count = 0; count < 20; count += 1) agent.write(assistantText(`${count} ${kilobyte}`));
        await microtasks();
        assert.equal(agent.paused, true);
        if (waits !== undefined) void conversation[waits]().catch(() => {});
        await microtasks();
        assert.equal(agent.paused, waits === undefined);
        agent.write(result());
        if (waits !== undefined) {
          await turn.result;
          await assertRejects(reader.next(), discarded);
          continue;
        }
        agent.exit();
        const texts = messagesOf(await all(reader))
          .slice(1, -1)
          .map(brief);
        assert.deepEqual(
          texts,
          Array.from({ length: 20 }, (_, count) => `${count} ${kilobyte}`),
        );
      }
    },

  'never pauses the agent for a reader that may miss something, and ends it once it has': async (fixture) => {
    const { conversation, agent } = await converse(fixture, { softMarkBytes: 5000 });
    const [slow, quick] = [conversation.events({ mayMiss: true }), conversation.events({ mayMiss: true })];
    const seen: ConversationEvent[] = [];
    void (async () => {
      for await (const event of quick) seen.push(event);
    })();
    const turn = conversation.send('a');
    assertMatches(await slow.next(), { value: { kind: 'turn_sent' } });
    const reading = collect(turn);
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    for (let count = 0; count < 20; count += 1) {
      agent.write(assistantText(kilobyte));
      await microtasks();
      assert.equal(agent.paused, false);
    }
    agent.write(result());
    // It takes nothing from the turn.
    assert.equal((await reading).length, 22);
    await assertRejects(slow.next(), discarded);
    assertMatches(await slow.next(), { done: true });
    agent.exit();
    await conversation.exited;
    await microtasks();
    assert.deepEqual(messagesOf(seen).length, 22);
    assert.equal(seen.at(-1)?.kind, 'exited');
  },

  'leaves a turn that is read at once its messages; nothing is kept for those that come late': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const before = conversation.send('before');
    const reading = all(conversation.events());
    const [read, unread] = [conversation.send('a'), conversation.send('b')];
    const turnReading = collect(read);
    agent.write(...wholeTurn(before.id, 'x'), ...wholeTurn(read.id, 'hi'), ...wholeTurn(unread.id, 'ho'));
    agent.write(init(), result(), { type: 'prompt_suggestion' });
    await unread.result;
    assert.deepEqual((await turnReading).map(brief), ['system/init', 'hi', 'result/success']);
    for (const late of [before, unread]) await assertRejects(collect(late), discarded);
    await microtasks();
    await assertRejects(firstUnsent(conversation), discarded);
    await assertRejects(conversation.messages.next(), discarded);
    agent.exit();
    assert.equal(messagesOf(await reading).length, 12);
  },

  'begins with the first event, unless something was read or more than the soft mark has arrived': async (fixture) => {
    const early = await converse(fixture, { softMarkBytes: 5000 });
    early.agent.write(state('running'), init(), assistantText('before anyone reads'), result(), state('idle'));
    early.agent.exit();
    await early.conversation.exited;
    const seen = await all(early.conversation.events());
    assert.equal(seen[0]?.seq, 1);
    assert.deepEqual(short(seen).slice(0, 3), ['turn_started ?', 'system/init ?', 'before anyone reads ?']);
    // A second one begins with what comes next: nothing.
    assert.deepEqual(await collect(early.conversation.events()), []);

    const read = await converse(fixture);
    read.agent.write(init(), result(), state('idle'));
    await firstUnsent(read.conversation);
    const later = read.conversation.events();
    const turn = read.conversation.send('a');
    assertMatches(await later.next(), { value: { kind: 'turn_sent', turn: turn.id } });

    const late = await converse(fixture, { softMarkBytes: 1000 });
    late.agent.write(init(), assistantText(kilobyte), result());
    await microtasks();
    assert.equal(late.agent.paused, false);
    await assertRejects(late.conversation.events().next(), discarded);
  },
};
