import { MemoryOutbox } from '@hexagent/hosting';
import type { OutboxAnswer, OutboxMessage } from '@hexagent/ports';
import { linkedTransport, microtasks, scriptedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { createChat } from '../src/index.ts';
import { createSdk } from '@hexagent/sdk';

/** A store that can be told to fail, or to wait. */
class SlowOutbox extends MemoryOutbox {
  isFull = false;
  waits: Promise<void> | undefined;
  readonly asked = Promise.withResolvers<void>();

  override async enqueue(message: OutboxMessage): Promise<OutboxAnswer> {
    this.asked.resolve();
    await this.waits;
    if (this.isFull) throw new Error('disk full');
    return await super.enqueue(message);
  }
}

interface Place extends AsyncDisposable {
  readonly outbox: SlowOutbox;
  readonly call: (path: string, body?: object) => Promise<Response>;
}

/** Agents are never opened, so messages wait. */
function chatOf(): Place {
  const outbox = new SlowOutbox();
  const { transport } = linkedTransport(scriptedAgent());
  const chat = createChat({
    sdk: createSdk({ transport }),
    session: () => new Promise(() => {}),
    folder: false,
    stores: { outbox },
    onError: () => {},
  });
  return {
    outbox,
    call: (path, body) => {
      const headers = { 'content-type': 'application/json' };
      const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
      return chat.handle(new Request(`http://localhost/api${path}`, init));
    },
    [Symbol.asyncDispose]: () => chat.close(),
  };
}

const sent = { id: 'chat', message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Go' }] } };

describe('A message that is stopped before it is stored', () => {
  it('is not run', async () => {
    await using place = chatOf();
    const { call, outbox } = place;
    const stored = Promise.withResolvers<void>();
    outbox.waits = stored.promise;
    const sending = call('/chat', sent);
    await outbox.asked.promise;
    // A message has a turn once it is stored: who asks for its stream before waits for that.
    const reading = call('/chat/chat/stream');
    const stopping = call('/chat/chat/interrupt', {});
    await microtasks();
    stored.resolve();
    expect(await (await stopping).json()).toEqual({ interrupted: true });
    for (const response of [await sending, await reading]) expect(await response.text()).toContain('"type":"abort"');
    expect(await outbox.pending('chat')).toEqual([]);
  });

  it('is reported as not stopped where it could not be stored', async () => {
    await using place = chatOf();
    const { call, outbox } = place;
    outbox.isFull = true;
    const sending = call('/chat', sent);
    const stopping = call('/chat/chat/interrupt', {});
    expect([(await sending).status, await (await stopping).json()]).toEqual([500, { interrupted: false }]);
  });
});

describe('A message that is sent again while it runs', () => {
  it('continues for those that read it, also where the second request fails', async () => {
    await using place = chatOf();
    const { call, outbox } = place;
    const first = await call('/chat', sent);
    outbox.isFull = true;
    expect((await call('/chat', sent)).status).toBe(500);
    outbox.isFull = false;
    const responses = [first, await call('/chat/chat/stream'), await call('/chat', sent)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { body } of responses) await body?.cancel();
  });
});

describe('A message that comes while the agent of its chat is being ended', () => {
  it('is answered: the chat stays in memory for it', async () => {
    const outbox = new SlowOutbox();
    const { transport } = linkedTransport(scriptedAgent({ turns: ['42', '43'] }));
    const sdk = createSdk({ transport });
    await using chat = createChat({
      sdk,
      folder: false,
      stores: { outbox },
      hosting: { maxLive: 1 },
      onError: () => {},
    });
    const send = (id: string, messageId: string): Promise<Response> => {
      const body = JSON.stringify({ id, message: { ...sent.message, id: messageId } });
      const headers = { 'content-type': 'application/json' };
      return chat.handle(new Request('http://localhost/api/chat', { method: 'POST', headers, body }));
    };
    const [asked, parked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    void (async () => {
      for await (const event of chat.host.observe('chat'))
        if (event.kind === 'state' && event.state === 'parked') parked.resolve();
    })();
    await (await send('chat', 'm1')).text();
    const { pending } = outbox;
    outbox.pending = async (session) => {
      if (session === 'chat') {
        asked.resolve();
        await parked.promise;
        await microtasks();
      }
      return await pending.call(outbox, session);
    };
    const second = send('chat', 'm2');
    await asked.promise;
    // Its agent makes room for this one.
    await (await send('other', 'm1')).text();
    expect(await (await second).text()).toContain('"type":"finish"');
  });
});
