import { MemoryOutbox } from '@hexagent/hosting';
import type { OutboxAnswer, OutboxEntry } from '@hexagent/ports';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { createChat } from '../src/chat.ts';
import { createSdk } from '../src/index.ts';

/** A store that can be told to fail. */
class FailingOutbox extends MemoryOutbox {
  isFull = false;

  override async enqueue(message: Omit<OutboxEntry, 'state'>, fence: number): Promise<OutboxAnswer> {
    if (this.isFull) throw new Error('disk full');
    return await super.enqueue(message, fence);
  }
}

describe('A message that is sent again while it runs', () => {
  it('goes on for those that read it, also where the second request fails', async () => {
    const outbox = new FailingOutbox();
    const { transport } = linkedTransport(scriptedAgent());
    await using chat = createChat({
      sdk: createSdk({ transport }),
      // The agent is never opened, so the message waits.
      session: () => new Promise(() => {}),
      folder: false,
      stores: { outbox },
      onError: () => {},
    });
    const call = (path: string, body?: object): Promise<Response> => {
      const headers = { 'content-type': 'application/json' };
      const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
      return chat.handle(new Request(`http://localhost/api${path}`, init));
    };
    const sent = { id: 'chat', message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Go' }] } };
    const first = await call('/chat', sent);
    outbox.isFull = true;
    expect((await call('/chat', sent)).status).toBe(500);
    outbox.isFull = false;
    const responses = [first, await call('/chat/chat/stream'), await call('/chat', sent)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const { body } of responses) await body?.cancel();
  });
});
