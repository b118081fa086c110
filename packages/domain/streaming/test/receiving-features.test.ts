import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type AgentMessage, type Warning } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { brief, collect, converse, init, lifecycle, result, assistantText } from './support.ts';
import { failing, mirror, named } from './feature-doubles.ts';

describe('A feature that receives the messages of the agent', () => {
  it('does so before any reader, also for transcripts', async () => {
    const seen: string[] = [];
    const feature = named({ receive: (message) => void seen.push(message.type) });
    const { conversation, agent } = await converse({ features: [feature] });
    const messages = conversation.allMessages();
    agent.write(init(), mirror, assistantText('a'), result());
    agent.exit({ code: 0 });
    expect((await collect(messages)).map(brief)).toEqual(['system/init', 'a', 'result/success']);
    expect(seen).toEqual(['system', 'transcript_mirror', 'assistant', 'result']);
  });

  it('holds back a message, and what follows, until it has handled it', async () => {
    const stored = Promise.withResolvers<void>();
    const feature = named({
      receive: (message) => (message.type === 'result' ? stored.promise : undefined),
    });
    const { conversation, agent } = await converse({ features: [feature] });
    const turn = conversation.send('a');
    agent.write(
      lifecycle(turn.id, 'started'),
      assistantText('a'),
      result({ result: 'a' }),
      lifecycle(turn.id, 'completed'),
    );
    let isSettled = false;
    const settled = turn.result.then(() => (isSettled = true));
    await microtasks();
    expect(isSettled).toBe(false);
    stored.resolve();
    await settled;
    expect((await collect(turn)).map(brief)).toEqual(['a', 'result/success']);
  });

  it('delivers what follows when a message that it held back fails to be received', async () => {
    const warnings: Warning[] = [];
    const onMessage = (message: AgentMessage): void => {
      if (message.type === 'assistant') throw new Error('full');
    };
    const { conversation, agent } = await converse(
      { features: [named({ receive: async () => {} })] },
      { warn: (warning) => void warnings.push(warning) },
    );
    conversation.allMessages(onMessage);
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), assistantText('a'), result({ result: 'a' }));
    expect(await turn.result).toMatchObject({ text: 'a' });
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', message: expect.stringContaining('full') }]);
  });

  it('is waited for by a promise that is not an instance of ours too', async () => {
    const stored = Promise.withResolvers<void>();
    const Foreign = runInNewContext('Promise') as PromiseConstructor;
    const receive = (): Promise<void> => new Foreign((resolve) => void stored.promise.then(resolve));
    const { conversation, agent } = await converse({ features: [named({ receive })] });
    const messages = conversation.allMessages();
    let isRead = false;
    const read = messages.next().then(() => (isRead = true));
    agent.write(assistantText('a'));
    await microtasks();
    expect(isRead).toBe(false);
    stored.resolve();
    await read;
  });

  it('counts what it holds back as unread: memory has a bound', async () => {
    const feature = named({ receive: () => new Promise<void>(() => {}) });
    const { agent } = await converse({ softMarkBytes: 2000, features: [feature] });
    for (let count = 0; count < 3; count += 1) agent.write(assistantText('x'.repeat(1000)));
    await microtasks();
    expect(agent.paused).toBe(true);
  });

  it('delays the end for what it holds back, but not for ever', async () => {
    const clock = new HandClock();
    const feature = named({ receive: () => new Promise<void>(() => {}) });
    const { conversation, agent } = await converse({ features: [feature] }, { clock });
    const messages = conversation.allMessages();
    agent.write(assistantText('a'), assistantText('b'));
    agent.exit({ code: 0 });
    let isOver = false;
    const over = conversation.exited.then(() => (isOver = true));
    await microtasks();
    expect(isOver).toBe(false);
    clock.advance(5000);
    await over;
    expect((await collect(messages)).map(brief)).toEqual(['a', 'b']);
    expect(clock.waiting).toBe(0);
  });

  it.each(failing)('changes nothing when it %s, and is warned of', async (_, receive) => {
    const warnings: Warning[] = [];
    const { conversation, agent } = await converse(
      { features: [{ name: 'store', receive }] },
      { warn: (warning) => void warnings.push(warning) },
    );
    const messages = conversation.allMessages();
    agent.write(assistantText('a'));
    agent.exit({ code: 0 });
    expect((await collect(messages)).map(brief)).toEqual(['a']);
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', source: 'store' }]);
  });
});

describe('A feature that waits for the tools of the agent', () => {
  it('receives them once, from the first message that lists them, before any reader', async () => {
    const seen: (readonly string[])[] = [];
    const feature = named({ toolsListed: (tools) => void seen.push(tools) });
    const { conversation, agent } = await converse({ features: [feature] });
    const messages = conversation.allMessages();
    const listing = (tools: unknown): object => ({ ...init(), tools });
    agent.write(listing('Bash'), listing([5, null, 'Bash']));
    await messages.next();
    expect(seen).toEqual([['Bash']]);
    agent.write(listing(['Read']), result());
    agent.exit({ code: 0 });
    expect(await collect(messages)).toHaveLength(3);
    expect(seen).toHaveLength(1);
  });

  it('changes nothing for others when it throws, and is warned of', async () => {
    const warnings: Warning[] = [];
    const seen: (readonly string[])[] = [];
    const broken = {
      name: 'rules',
      toolsListed: () => {
        throw new Error('full');
      },
    };
    const { conversation, agent } = await converse(
      { features: [broken, named({ toolsListed: (tools) => void seen.push(tools) })] },
      { warn: (warning) => void warnings.push(warning) },
    );
    const messages = conversation.allMessages();
    agent.write({ ...init(), tools: ['Bash'] }, result());
    agent.exit({ code: 0 });
    expect(await collect(messages)).toHaveLength(2);
    expect(seen).toEqual([['Bash']]);
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', source: 'rules' }]);
  });
});
