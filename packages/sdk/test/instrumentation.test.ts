import { createSdk, openSession, type Parts } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import type { ConversationOptions, Conversations } from '@hexagent/ports';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { afterEach, describe, expect, it } from 'vitest';

const instrumentation = Symbol.for('@hexagent/sdk/instrumentation');

/** Counts what is opened. */
function counting(): {
  readonly opened: ConversationOptions[];
  readonly wrap: (inner: Conversations) => Conversations;
} {
  const opened: ConversationOptions[] = [];
  return {
    opened,
    wrap: (inner) => ({
      open: async (options) => {
        opened.push(options);
        return await inner.open(options);
      },
    }),
  };
}

const talking = () => linkedTransport(scriptedAgent({ turns: () => 'hello' })).transport;

describe('What opens conversations', () => {
  it('is wrapped for every call of an SDK, also for one that names a transport itself', async () => {
    const { opened, wrap } = counting();
    const sdk = createSdk({ conversations: wrap, transport: talking() });
    const session = await sdk.openSession();
    expect(await session.send('hi').result).toMatchObject({ text: 'hello' });
    await session.close();
    await sdk.ask('hi', { transport: talking() }).result;
    expect(opened).toHaveLength(2);
    expect(opened[0]?.launch.env).toBeDefined();
  });

  it('must still open some', async () => {
    // A program in JavaScript.
    const conversations = (() => ({})) as unknown as Parts['conversations'];
    await expect(createSdk({ conversations, transport: talking() }).openSession()).rejects.toThrow(
      /`conversations\(\)`/,
    );
  });
});

describe('The instrumentation of a process', () => {
  afterEach(() => Reflect.deleteProperty(globalThis, instrumentation));

  it('changes the parts of both doors from then on, also after their first call, until it is removed', async () => {
    const open = async (): Promise<void> => {
      const session = await openSession({ transport: talking() });
      await session.close();
      for await (const message of query({ prompt: 'hi', options: { transport: talking() } })) void message;
    };
    await open();
    const { opened, wrap } = counting();
    Reflect.set(globalThis, instrumentation, (parts: Parts) => ({ ...parts, conversations: wrap }));
    await open();
    expect(opened).toHaveLength(2);
    Reflect.deleteProperty(globalThis, instrumentation);
    await open();
    expect(opened).toHaveLength(2);
  });

  it('changes an SDK when that is made', async () => {
    const before = createSdk({ transport: talking() });
    const { opened, wrap } = counting();
    Reflect.set(globalThis, instrumentation, (parts: Parts) => ({ ...parts, conversations: wrap }));
    for (const sdk of [before, createSdk({ transport: talking() })]) await sdk.ask('hi').result;
    expect(opened).toHaveLength(1);
  });
});
