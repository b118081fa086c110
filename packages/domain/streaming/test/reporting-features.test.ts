import { describe, expect, it } from 'vitest';
import { type AgentMessage, type FeatureControl, type Warning } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { brief, collect, converse, lifecycle, result, assistantText } from './support.ts';
import { failing, named } from './feature-doubles.ts';

describe('A feature that has something to report', () => {
  const notice = { type: 'system', subtype: 'mirror_error', error: 'full' } as AgentMessage;

  it('delivers it behind what was delivered, and before what it holds back', async () => {
    const stored = Promise.withResolvers<void>();
    let control: FeatureControl | undefined;
    const feature = named({
      attach: (given) => void (control = given),
      receive: (message) => (message.type === 'result' ? stored.promise : undefined),
    });
    const { conversation, agent } = await converse({ features: [feature] });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), assistantText('a'), result({ result: 'a' }));
    await microtasks();
    control?.deliver?.(notice);
    stored.resolve();
    await turn.result;
    expect((await collect(turn)).map(brief)).toEqual(['a', 'system/mirror_error', 'result/success']);
  });

  it('may do so until the exit is delivered, which waits for what it has to finish', async () => {
    const stored = Promise.withResolvers<void>();
    let control: FeatureControl | undefined;
    const feature = named({
      attach: (given) => void (control = given),
      receive: () => {},
      exiting: () => stored.promise,
    });
    const { conversation, agent } = await converse({ features: [feature] });
    const messages = conversation.allMessages();
    agent.write(assistantText('a'));
    agent.exit({ code: 0 });
    let isOver = false;
    const over = conversation.exited.then(() => (isOver = true));
    await microtasks();
    expect(isOver).toBe(false);
    control?.deliver?.(notice);
    stored.resolve();
    await over;
    expect((await collect(messages)).map(brief)).toEqual(['a', 'system/mirror_error']);
    expect(() => control?.deliver?.(notice)).not.toThrow();
  });

  it('is waited for as long as it asks for, and not for ever', async () => {
    const clock = new HandClock();
    const feature = named({ receive: () => {}, exiting: () => new Promise<void>(() => {}), exitingMs: 60_000 });
    const { conversation, agent } = await converse({ features: [feature] }, { clock });
    agent.exit({ code: 0 });
    let isOver = false;
    const over = conversation.exited.then(() => (isOver = true));
    await microtasks();
    clock.advance(59_999);
    await microtasks();
    expect(isOver).toBe(false);
    clock.advance(1);
    await over;
    await conversation.close();
    expect(clock.waiting).toBe(0);
  });

  it.each(failing)('does not delay the end when finishing %s', async (_, exiting) => {
    const warnings: Warning[] = [];
    const feature = { name: 'store', receive: () => {}, exiting };
    const { conversation, agent } = await converse(
      { features: [feature] },
      { warn: (warning) => void warnings.push(warning) },
    );
    agent.exit({ code: 0 });
    await conversation.exited;
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', source: 'store' }]);
  });
});
