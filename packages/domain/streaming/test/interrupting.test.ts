import { describe, expect, it } from 'vitest';
import { microtasks } from '@hexagent/testing';
import { answer, brief, collect, converse, init, lifecycle, result, says, state } from './support.ts';

const aborted = (...user_message_uuids: string[]): object =>
  result({
    subtype: 'error_during_execution',
    is_error: true,
    errors: [],
    terminal_reason: 'aborted_streaming',
    user_message_uuids,
  });

describe('#8 An interrupt', () => {
  it('says that nothing runs when nothing was sent', async () => {
    const { conversation, agent } = await converse();
    expect(await conversation.interrupt()).toBe('nothing_running');
    expect(agent.received.map((frame) => frame.request?.subtype)).toEqual(['initialize']);
  });

  it('is written right after its message, before the agent has begun, and stops it', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    const interrupted = turn.interrupt();
    const request = await agent.next('interrupt');
    expect(agent.received.map((frame) => frame.request?.subtype ?? frame.type)).toEqual([
      'initialize',
      'user',
      'interrupt',
    ]);
    answer(agent, request, { still_queued: [turn.id] });
    agent.write(
      lifecycle(turn.id, 'queued'),
      lifecycle(turn.id, 'started'),
      init(turn.id),
      aborted(turn.id),
      lifecycle(turn.id, 'cancelled'),
    );
    expect(await interrupted).toBe('interrupted');
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
  });

  it('believes the turn and not the receipt', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), says('done'));
    const interrupted = turn.interrupt();
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    agent.write(result({ result: 'done', user_message_uuids: [turn.id] }));
    expect(await interrupted).toBe('too_late');
  });

  it('of a queued turn takes it out of the queue and leaves the running one alone', async () => {
    const { conversation, agent } = await converse();
    const running = conversation.send('one');
    const queued = conversation.send('two');
    agent.write(lifecycle(running.id, 'started'), init(running.id), lifecycle(queued.id, 'queued'));
    await running[Symbol.asyncIterator]().next();
    const interrupted = queued.interrupt();
    const request = await agent.next('cancel_async_message');
    expect(request.request).toMatchObject({ message_uuid: queued.id });
    agent.write(lifecycle(queued.id, 'cancelled'));
    answer(agent, request, { cancelled: false });
    expect(await interrupted).toBe('cancelled');
    agent.write(result({ result: 'fine', user_message_uuids: [running.id] }));
    expect(await running.result).toMatchObject({ kind: 'completed' });
  });

  it('of the second of two messages takes that one out, even before the agent has begun with the first', async () => {
    const { conversation, agent } = await converse();
    const first = conversation.send('one');
    const second = conversation.send('two');
    const interrupted = second.interrupt();
    const request = await agent.next('cancel_async_message');
    agent.write(
      lifecycle(first.id, 'started'),
      init(first.id),
      lifecycle(second.id, 'queued'),
      lifecycle(second.id, 'cancelled'),
    );
    answer(agent, request, { cancelled: true });
    expect(await interrupted).toBe('cancelled');
    agent.write(result({ user_message_uuids: [first.id] }));
    expect(await first.result).toMatchObject({ kind: 'completed' });
  });

  it('of a turn that has ended is too late, and does not close the next one', async () => {
    const { conversation, agent } = await converse();
    const first = conversation.send('one');
    agent.write(lifecycle(first.id, 'started'), init(first.id), result({ user_message_uuids: [first.id] }));
    await first.result;
    const second = conversation.send('two');
    expect(await first.interrupt()).toBe('too_late');
    agent.write(lifecycle(second.id, 'started'), init(second.id), result({ user_message_uuids: [second.id] }));
    expect(await second.result).toMatchObject({ kind: 'completed' });
    expect(agent.received.some((frame) => frame.request?.subtype === 'interrupt')).toBe(false);
  });

  it('asked for three times at once asks the agent once: a second one could stop the next turn', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const interrupted = [turn.interrupt(), turn.interrupt(), conversation.interrupt()];
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    await microtasks();
    agent.write(aborted(turn.id));
    expect(await Promise.all(interrupted)).toEqual(['interrupted', 'interrupted', 'interrupted']);
    expect(agent.received.filter((frame) => frame.request?.subtype === 'interrupt')).toHaveLength(1);
  });

  it('asks again when the agent has taken note of the first one and goes on', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const first = turn.interrupt();
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    await microtasks();
    const second = turn.interrupt();
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    agent.write(aborted(turn.id));
    expect(await Promise.all([first, second])).toEqual(['interrupted', 'interrupted']);
  });

  it('of a turn and of the message folded into it, at once, asks the agent once', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    const folded = conversation.send('two');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), lifecycle(folded.id, 'started'));
    await microtasks();
    const interrupted = [folded.interrupt(), turn.interrupt()];
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    await microtasks();
    agent.write(aborted(turn.id, folded.id));
    expect(await Promise.all(interrupted)).toEqual(['interrupted', 'interrupted']);
    expect(agent.received.filter((frame) => frame.request?.subtype === 'interrupt')).toHaveLength(1);
  });

  it('of a turn that was interrupted before is too late', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), aborted(turn.id));
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
    expect(await turn.interrupt()).toBe('too_late');
  });

  it('does not wait for a receipt once the turn has ended', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const interrupted = turn.interrupt();
    await agent.next('interrupt');
    agent.write(aborted(turn.id));
    expect(await interrupted).toBe('interrupted');
  });

  it('of a queued turn that ran meanwhile leaves the one after it alone', async () => {
    const { conversation, agent } = await converse();
    const [running, queued, last] = ['one', 'two', 'three'].map((text) => conversation.send(text));
    agent.write(lifecycle(running!.id, 'started'), init(running!.id));
    await microtasks();
    const interrupted = queued!.interrupt();
    const request = await agent.next('cancel_async_message');
    agent.write(
      result({ user_message_uuids: [running!.id] }),
      lifecycle(queued!.id, 'started'),
      result({ user_message_uuids: [queued!.id] }),
      lifecycle(last!.id, 'started'),
    );
    answer(agent, request, { cancelled: false });
    expect(await interrupted).toBe('too_late');
    await microtasks();
    expect(agent.received.some((frame) => frame.request?.subtype === 'interrupt')).toBe(false);
  });

  it('of a queued turn that the agent does not let go leaves the running one alone, and waits', async () => {
    const { conversation, agent } = await converse();
    const [running, queued] = [conversation.send('one'), conversation.send('two')];
    agent.write(lifecycle(running.id, 'started'), init(running.id));
    await microtasks();
    const interrupted = queued.interrupt();
    answer(agent, await agent.next('cancel_async_message'), { cancelled: false });
    await microtasks();
    agent.write(result({ user_message_uuids: [running.id] }));
    agent.write(lifecycle(queued.id, 'started'), result({ user_message_uuids: [queued.id] }));
    expect(await interrupted).toBe('too_late');
    expect(agent.received.some((frame) => frame.request?.subtype === 'interrupt')).toBe(false);
  });

  it('of a message that the agent had handled before is too late', async () => {
    const { conversation, agent } = await converse();
    const repeated = conversation.send({ content: 'a', uuid: 'known-to-the-resumed-session' });
    const interrupted = repeated.interrupt();
    agent.write(lifecycle(repeated.id, 'completed'));
    expect(await interrupted).toBe('too_late');
  });

  it('that the agent refuses is told, and may be tried again', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const refused = turn.interrupt();
    const { request_id } = await agent.next('interrupt');
    agent.write({ type: 'control_response', response: { subtype: 'error', request_id, error: 'not now' } });
    await expect(refused).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringContaining('not now'),
    });
    const again = turn.interrupt();
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    agent.write(aborted(turn.id));
    expect(await again).toBe('interrupted');
  });

  it('reads on to the end of its turn although the reader has stopped reading', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 1000 });
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), says('x'.repeat(2000)));
    const reading = turn[Symbol.asyncIterator]();
    await reading.next();
    await microtasks();
    expect(agent.paused).toBe(true);
    const interrupted = turn.interrupt();
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    await microtasks();
    agent.write(aborted(turn.id));
    expect(await interrupted).toBe('interrupted');
    await microtasks();
    expect(agent.paused).toBe(true);
  });

  it('while the conversation is being closed says what came of the turn, and asks for nothing more', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    await microtasks();
    const closed = conversation.close();
    const interrupted = [turn.interrupt(), conversation.interrupt()];
    await agent.ended;
    agent.write(aborted(turn.id));
    agent.exit({ code: 0 });
    await closed;
    expect(await Promise.all(interrupted)).toEqual(['interrupted', 'interrupted']);
    expect(agent.received.filter((frame) => frame.request?.subtype === 'interrupt')).toHaveLength(1);
  });

  it.each([
    ['cancelled', 'interrupted'],
    ['completed', 'too_late'],
  ])('of a local command, whose result gives no reason, is read from what follows it: %s', async (ending, outcome) => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('/compact');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const interrupted = turn.interrupt();
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    agent.write(
      says('Compaction canceled.'),
      result({ terminal_reason: undefined, user_message_uuids: [turn.id] }),
      lifecycle(turn.id, ending),
    );
    expect(await interrupted).toBe(outcome);
    expect((await collect(turn)).map(brief)).toEqual(['system/init', 'Compaction canceled.', 'result/success']);
  });

  it('of a local command is too late when nothing follows its result but rest', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('/compact');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    const interrupted = turn.interrupt();
    answer(agent, await agent.next('interrupt'), { still_queued: [] });
    agent.write(result({ terminal_reason: undefined, user_message_uuids: [turn.id] }));
    await microtasks();
    // The next turn may run by now, and an interrupt names none.
    const again = turn.interrupt();
    const next = conversation.send('next');
    agent.write(lifecycle(next.id, 'started'), init(next.id), says('x'), result({ user_message_uuids: [next.id] }));
    expect((await collect(next)).map(brief)).toEqual(['system/init', 'x', 'result/success']);
    expect(await next.result).toMatchObject({ kind: 'completed', text: 'x' });
    agent.write(state('idle'));
    expect(await Promise.all([interrupted, again])).toEqual(['too_late', 'too_late']);
    expect(agent.received.filter((frame) => frame.request?.subtype === 'interrupt')).toHaveLength(1);
    expect(await turn.result).toMatchObject({ kind: 'completed' });
  });

  it('of a turn of an older agent, which says nothing of messages, is decided by the result alone', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.write(init());
    const interrupted = turn.interrupt();
    answer(agent, await agent.next('interrupt'));
    agent.write(result({ terminal_reason: undefined }));
    expect(await interrupted).toBe('too_late');
  });

  it('of a message that was never written fails like its turn', async () => {
    const { conversation } = await converse();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const turn = conversation.send({ content: 'a', fields: circle });
    await expect(turn.interrupt()).rejects.toMatchObject({ code: 'FRAME_INVALID' });
  });

  it('fails like its turn when the agent dies', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('one');
    const interrupted = turn.interrupt();
    await agent.next('interrupt');
    agent.exit({ code: null, signal: 'SIGKILL' });
    await expect(interrupted).rejects.toMatchObject({ code: 'AGENT_EXITED', signal: 'SIGKILL' });
  });
});
