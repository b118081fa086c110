import { describe, expect, it } from 'vitest';
import { Deferred } from '@hexagent/async';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type { ConversationOptions, SessionFeature, Transport } from '@hexagent/ports';
import { ConversationService } from '@hexagent/streaming';
import { HandClock, linkedTransport, microtasks, plainLaunch } from '@hexagent/testing';
import { conversationsContract, type ConversationsFixture } from '@hexagent/testing/contracts';
import { LateConversations } from '../src/late-conversations.ts';

type Parts = Parameters<ConversationsFixture['createConversations']>[0];

const serviceOver =
  (parts: Parts) =>
  (transport: Transport): ConversationService =>
    new ConversationService({
      ...parts,
      transport,
      protocol: new JsonRpcProtocol({ parser: wireParser, ...parts }),
    });

conversationsContract(
  { describe, it },
  {
    createConversations: (parts) =>
      new LateConversations({ ...parts, load: () => Promise.resolve(), over: serviceOver(parts) }),
  },
);

interface Opening {
  readonly opened: Promise<unknown>;
  readonly loading: Deferred<void>;
  /** What became of the feature and of the connection, in order. */
  readonly seen: readonly string[];
}

function open(options: Partial<ConversationOptions> = {}): Opening {
  const { transport } = linkedTransport();
  const seen: string[] = [];
  const watched: Transport = {
    async connect(...asked) {
      seen.push('connects');
      const connection = await transport.connect(...asked);
      return Object.create(connection, {
        close: {
          value: async () => {
            seen.push('closes the connection');
            await connection.close();
          },
        },
      });
    },
  };
  const feature: SessionFeature = { name: 'watched', close: async () => void seen.push('closes the feature') };
  const [loading, clock] = [new Deferred<void>(), new HandClock()];
  const parts = { transport: watched, clock, ids: { request: () => 'r', uuid: () => 'u' } };
  const conversations = new LateConversations({ ...parts, load: () => loading.promise, over: serviceOver(parts) });
  const asked = { launch: plainLaunch(), features: [feature], ...options };
  return { opened: conversations.open(asked).catch((error: unknown) => error), loading, seen };
}

describe('While the engine loads', () => {
  it('the agent starts at once', async () => {
    const { seen, loading } = open();
    expect(seen).toEqual(['connects']);
    loading.resolve();
    await microtasks();
    expect(seen).toEqual(['connects']);
  });

  it('an abort leaves no agent and no feature behind', async () => {
    const aborting = new AbortController();
    const { opened, loading, seen } = open({ signal: aborting.signal });
    aborting.abort('why');
    loading.resolve();
    expect(await opened).toMatchObject({ name: 'AbortError', cause: 'why' });
    expect(seen.toSorted()).toEqual(['closes the connection', 'closes the feature', 'connects']);
  });

  it.each<[string, Partial<ConversationOptions>, object]>([
    ['a number that makes no sense', { softMarkBytes: -1 }, { name: 'TypeError' }],
    ['a signal that has aborted', { signal: AbortSignal.abort('before') }, { name: 'AbortError', cause: 'before' }],
  ])('%s starts no agent', async (_, options, error) => {
    const { opened, loading, seen } = open(options);
    loading.resolve();
    expect(await opened).toMatchObject(error);
    expect(seen).toEqual(['closes the feature']);
  });

  it('two features that answer the same start no agent', async () => {
    const handlers = { can_use_tool: async () => ({ behavior: 'allow' as const }) };
    const features = ['one', 'other'].map((name) => ({ name, handlers }));
    const { opened, loading, seen } = open({ features });
    loading.resolve();
    expect(await opened).toEqual(new TypeError('Both one and other answer `can_use_tool`.'));
    expect(seen).toEqual([]);
  });
});

describe('An engine that cannot be loaded', () => {
  it('leaves no agent and no feature behind', async () => {
    const { opened, loading, seen } = open();
    loading.reject(new Error('The file is gone.'));
    expect(await opened).toEqual(new Error('The file is gone.'));
    expect(seen).toEqual(['connects', 'closes the feature', 'closes the connection']);
  });
});
