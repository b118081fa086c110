import { mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemoryDirectory } from '@hexagent/hosting';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { createChat } from '../src/index.ts';
import { createSdk } from '@hexagent/sdk';

describe('A chat that is closed while requests are on their way', () => {
  it.each([0, 2, 5, 10, 20])('answers each of them, and reports no failure: %i system calls later', async (calls) => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'hexagent-closing-'));
    const errors: unknown[] = [];
    const { transport } = linkedTransport(scriptedAgent());
    const sdk = createSdk({ transport });
    await using chat = createChat({ sdk, folder: folder.path, onError: (error) => void errors.push(error) });
    const call = (where: string, body?: object): Promise<Response> => {
      const headers = { 'content-type': 'application/json' };
      const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
      return chat.handle(new Request(`http://localhost/api${where}`, init));
    };
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Go' }] };
    await (await call('/chat', { id: 'one', message })).text();
    const requests = [
      call('/chat', { id: 'one', message: { ...message, id: 'second' } }),
      call('/chat', { id: 'two', message }),
      call('/sessions'),
      call('/chat/one/stream'),
    ];
    for (let done = 0; done < calls; done += 1) await stat(folder.path);
    await chat.close();
    for (const { status, body } of await Promise.all(requests)) {
      expect([200, 204, 503]).toContain(status);
      await body?.cancel();
    }
    expect(errors).toEqual([]);
  });

  it('reports that it is shutting down, also to a request that reaches a store too late', async () => {
    const [begun, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    class Directory extends MemoryDirectory {
      override async list(): Promise<never> {
        begun.resolve();
        await closed.promise;
        throw new TypeError('The store is closed.');
      }
    }
    const errors: unknown[] = [];
    const chat = createChat({
      folder: false,
      stores: { directory: new Directory() },
      onError: (error) => void errors.push(error),
    });
    const response = chat.handle(new Request('http://localhost/api/sessions'));
    await begun.promise;
    await chat.close();
    closed.resolve();
    expect([(await response).status, errors]).toEqual([503, []]);
  });
});
