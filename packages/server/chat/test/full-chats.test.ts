import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { expect, it, describe } from 'vitest';
import { createChat } from '../src/index.ts';
import { createSdk } from '@hexagent/sdk';

describe('A chat whose first message is refused since no more sessions fit', () => {
  it('is not there, neither in the list nor in the store', async () => {
    const { transport } = linkedTransport(scriptedAgent());
    const sdk = createSdk({ transport });
    // The agents are never opened, so that the first chat lives and the second waits.
    const session = (): Promise<never> => new Promise(() => {});
    await using chat = createChat({
      sdk,
      session,
      folder: false,
      hosting: { maxLive: 1, maxWaiting: 1 },
      onError: () => {},
    });
    const send = (id: string): Promise<Response> => {
      const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Go' }] };
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify({ id, message }) };
      return chat.handle(new Request('http://localhost/api/chat', request));
    };
    const responses = [await send('one'), await send('two'), await send('three')];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 503]);
    expect((await chat.host.list()).map(({ id }) => id).toSorted()).toEqual(['one', 'two']);
    for (const { body } of responses) await body?.cancel();
  });
});
