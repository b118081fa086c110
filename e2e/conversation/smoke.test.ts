import { ask, openSession, type AgentMessage, type Turn } from '@hexagent/sdk';
import { gate, lastUserText, text } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { collect } from '../support/collect.ts';
import { stage } from '../support/stage.ts';
import { untilItStreams } from '../support/until-it-streams.ts';

const kinds = (messages: readonly AgentMessage[]): string[] =>
  messages.map((message) => ('subtype' in message ? `${message.type}/${message.subtype}` : message.type));

withCli('One prompt', () => {
  it('is answered, and the agent exits', async () => {
    await using place = await stage(['The answer is 4.']);
    const answer = ask('What is 2+2?', place.options);
    expect(kinds(await collect(answer))).toEqual(['system/init', 'assistant', 'result/success']);
    expect(await answer.result).toMatchObject({
      kind: 'completed',
      text: 'The answer is 4.',
      usage: { input_tokens: 100 },
    });
  });
});

withCli('A session', () => {
  it('#5 #9 runs three turns in one process, in the order they were sent', async () => {
    await using place = await stage((request) => `You said ${lastUserText(request)}`);
    await using session = await openSession(place.options);
    const first = session.send('one');
    await first.result;
    const [second, third] = [session.send('two'), session.send('three')];
    expect(await first.result).toMatchObject({ kind: 'completed', text: 'You said one' });
    expect(await second.result).toMatchObject({ kind: 'completed', text: 'You said two' });
    expect(await third.result).toMatchObject({ kind: 'completed' });
    expect((await session.finish()).code).toBe(0);
  });
});

withCli('#8 An interrupt', () => {
  it('while the model streams stops the turn and keeps its text; the next turn is not affected', async () => {
    const held = gate();
    await using place = await stage((request) => (lastUserText(request) === 'one' ? text(['partial ', held]) : 'fine'));
    await using session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('one');
    for await (const message of turn)
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta') break;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await turn.result).toMatchObject({ kind: 'interrupted', text: 'partial ' });
    expect(await session.send('two').result).toMatchObject({ kind: 'completed', text: 'fine' });
  });
});

withCli('#53 A message with a priority', () => {
  it('of `now` stops the running turn and runs before the queued ones; `later` runs last', async () => {
    await using place = await stage((request) =>
      lastUserText(request) === 'one' ? text(['partial ', gate()]) : `said ${lastUserText(request)}`,
    );
    await using session = await openSession({ ...place.options, partialMessages: true });
    const ended: string[] = [];
    const send = (content: string, priority?: 'now' | 'later'): Turn => {
      const turn = session.send({ content, priority });
      void turn.result.then(() => ended.push(content));
      return turn;
    };
    const one = send('one');
    await untilItStreams(one);
    const all = [send('later', 'later'), send('two'), send('now', 'now')];
    expect(await one.result).toMatchObject({ kind: 'interrupted', text: 'partial ' });
    const outcomes = await Promise.all(all.map((turn) => turn.result));
    expect(outcomes.map((outcome) => 'text' in outcome && outcome.text)).toEqual([
      'said later',
      'said two',
      'said now',
    ]);
    expect(ended).toEqual(['one', 'now', 'two', 'later']);
  });
});
