import { describe, expect, it } from 'vitest';
import { converse, init, lifecycle, result, says } from './support.ts';

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  promise.then(settle, settle);
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  return isSettled;
};

describe('`received` of a turn', () => {
  it('resolves when the agent confirms the message, while another turn runs', async () => {
    const { conversation, agent } = await converse();
    const running = conversation.send('a');
    agent.write(lifecycle(running.id, 'started'), init(running.id));
    const waiting = conversation.send('b');
    expect(await settled(waiting.received)).toBe(false);
    agent.write(lifecycle(waiting.id, 'queued'));
    await waiting.received;
  });

  it('resolves when the turn begins, if the agent confirms nothing', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    expect(await settled(turn.received)).toBe(false);
    agent.write(init());
    await turn.received;
  });

  it('resolves for a message whose result was folded into another', async () => {
    const { conversation, agent } = await converse();
    const [first, second] = [conversation.send('a'), conversation.send('b')];
    agent.write(init(), result({ user_message_uuids: [first.id, second.id] }));
    await second.received;
  });

  it('is read although nobody reads the messages before it', async () => {
    const { conversation, agent } = await converse({ softMarkBytes: 100, reading: 'whole' });
    const reader = conversation.messages[Symbol.asyncIterator]();
    const running = conversation.send('a');
    agent.write(lifecycle(running.id, 'started'), init(running.id), says('x'.repeat(200)));
    expect((await reader.next()).value).toMatchObject({ subtype: 'init' });
    const waiting = conversation.send('b');
    agent.write(says('y'.repeat(200)), lifecycle(waiting.id, 'queued'));
    await waiting.received;
  });

  it('rejects as the result does when the agent leaves without the message', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    agent.exit({ code: 1 });
    const failure = await turn.result.catch((error: unknown) => error);
    await expect(turn.received).rejects.toBe(failure);
  });
});

describe('`onMessage`', () => {
  it('is called with each message when it arrives, before anyone reads, and not with what is withheld', async () => {
    const seen: string[] = [];
    const { conversation, agent } = await converse({
      reading: 'whole',
      onMessage: (message) => void seen.push(message.type),
    });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), says('x'), result());
    await turn.result;
    expect(seen).toEqual(['system', 'assistant', 'result']);
  });
});
