import { describe, expect, it } from 'vitest';
import { SdkError } from '@hexagent/ports';
import { begin, brief, converse, init, lifecycle, says } from './support.ts';

const error = new SdkError('LINE_TOO_LONG', 'The agent wrote a line longer than 10 bytes.');

async function readUntilError(messages: AsyncIterable<Parameters<typeof brief>[0]>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const message of messages) seen.push(brief(message));
  } catch (caught) {
    seen.push(caught);
  }
  return seen;
}

describe('A conversation whose agent cannot be read any more', () => {
  it('tells every reader and everyone who waits the same error, after what came before', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    const queued = conversation.send('b');
    const waiting = [turn.result, queued.result, conversation.idle(), conversation.control('mcp_status')].map(
      (promise) => promise.catch((caught: unknown) => caught),
    );
    const unread = conversation.messages;
    agent.write(says('between turns'), lifecycle(turn.id, 'started'), init(turn.id), says('one'));
    agent.breakOff(error);
    expect(await Promise.all(waiting)).toEqual([error, error, error, error]);
    expect(await readUntilError(turn)).toEqual(['system/init', 'one', error]);
    expect(await readUntilError(queued)).toEqual([error]);
    expect(await readUntilError(unread)).toEqual(['between turns', error]);
    expect(() => conversation.send('c')).toThrow(
      expect.objectContaining({ code: 'CONVERSATION_CLOSED', cause: error }),
    );
    expect(await conversation.exited).toMatchObject({ closed: true });
  });

  it('tells the one reader of the whole after all that came before', async () => {
    const { conversation, agent } = await converse({ reading: 'whole' });
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), says('one'));
    agent.breakOff(error);
    expect(await readUntilError(conversation.messages)).toEqual(['system/init', 'one', error]);
    await expect(turn.result).rejects.toBe(error);
  });

  it('tells `ready` and an interrupt', async () => {
    const { conversation, agent } = await begin();
    const turn = conversation.send('a');
    const interrupting = turn.interrupt();
    agent.breakOff(error);
    await expect(conversation.ready).rejects.toBe(error);
    await expect(interrupting).rejects.toBe(error);
  });

  it('can be finished and closed: the agent has been ended', async () => {
    const { conversation, agent } = await converse();
    agent.breakOff(error);
    expect(await conversation.finish()).toMatchObject({ closed: true });
    await conversation.close();
  });

  it('says what broke when the connection has no error of ours', async () => {
    const { conversation, agent } = await converse();
    const turn = conversation.send('a');
    const cause = new Error('Socket reset.');
    agent.breakOff(cause);
    await expect(turn.result).rejects.toMatchObject({ code: 'CHANNEL_CLOSED', cause });
  });
});
