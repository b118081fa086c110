import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { storedSessions } from '@hexagent/sdk';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import { gate, text, toolUse } from '@hexagent/testing/loopback';
import type { UIMessage } from 'ai';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { compileCache } from '../support/compile-cache.ts';
import { stage, type Stage } from '../support/stage.ts';
import { textsOf } from './chat-place.ts';

const program = fileURLToPath(new URL('serving.ts', import.meta.url));
const message = { id: 'same', role: 'user', parts: [{ type: 'text', text: 'go on' }] };

interface Server {
  readonly url: string;
  /** Ends the program as a crash of the machine would, and waits until its agents have exited too. */
  kill(): Promise<void>;
}

async function serve({ home, options }: Stage): Promise<Server> {
  const args = ['--conditions=@hexagent/source', program, path.join(home.root, 'chats'), JSON.stringify(options)];
  const child = spawn(process.execPath, args, { env: compileCache, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]; // the program prints it
  return {
    url: `http://127.0.0.1:${port}/api`,
    async kill() {
      child.kill('SIGKILL');
      await exited;
      const agents = processesMentioning(home.root).map(({ pid }) => pid);
      expect(await survivors(agents, 10_000)).toEqual([]);
    },
  };
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function historyAt({ url }: Server): Promise<{ messages: UIMessage[]; isRunning: boolean }> {
  const response = await fetch(`${url}/sessions/chat1/messages`);
  return (await response.json()) as { messages: UIMessage[]; isRunning: boolean }; // as the README of http-chat says
}

/** Reads until this was streamed; the server may then be killed at any moment. */
async function readUntil(response: Response, wanted: string): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  while (!seen.includes(wanted)) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) throw new Error(`The stream ended before ${wanted}: ${seen}`);
    seen += value;
  }
}

withCli('#66 A chat whose server is killed in the middle of a turn', () => {
  it('has its history when the server is started again, runs the message once when asked again, and tells it once', async () => {
    let isFirst = true;
    await using place = await stage(() => {
      const half = isFirst ? text(['half ', gate()]) : 'whole';
      isFirst = false;
      return half;
    });
    const first = await serve(place);
    await readUntil(await post(`${first.url}/chat`, { id: 'chat1', message }), 'half');
    await first.kill();

    const second = await serve(place);
    try {
      const before = await historyAt(second);
      expect([before.isRunning, before.messages.map(textsOf)]).toEqual([false, ['go on']]);
      expect((await fetch(`${second.url}/chat/chat1/stream`)).status).toBe(204);
      expect(place.loopback.requests).toHaveLength(1);
      // A page that was opened anew has the stored id of the message; both ids are the same message.
      for (const id of [message.id, before.messages[0]?.id]) {
        const again = await post(`${second.url}/chat`, { id: 'chat1', message: { ...message, id } });
        const answer = await again.text();
        expect([again.status, answer.includes('whole')]).toEqual(id === message.id ? [200, true] : [409, false]);
      }
      const { messages } = await historyAt(second);
      expect(messages.filter(({ role }) => role === 'user').map(textsOf)).toEqual(['go on']);
      expect(textsOf(messages.at(-1) as UIMessage)).toContain('whole');
      expect(await storedSessions({ configDir: path.join(place.home.home, '.claude') }).list()).toHaveLength(1);
    } finally {
      await second.kill();
    }
  });

  it('asks again for an approval that waited, and runs nothing without an approval', async () => {
    // The agent is shown that the outcome of its call is not known, and calls again.
    await using place = await stage(() => (existsSync(made) ? 'done' : toolUse('Bash', { command: 'touch made' })));
    const made = path.join(place.home.cwd, 'made');
    const first = await serve(place);
    await readUntil(await post(`${first.url}/chat`, { id: 'chat1', message }), 'tool-approval-request');
    const lost = await approvalsOf(first);
    await first.kill();
    expect(existsSync(made)).toBe(false);

    const second = await serve(place);
    try {
      const late = await post(`${second.url}/chat/chat1/approvals/${lost}`, { approved: true });
      expect([late.status, await late.json()]).toMatchObject([409, { error: { code: 'ALREADY_SETTLED' } }]);
      expect(existsSync(made)).toBe(false);
      const response = await post(`${second.url}/chat`, { id: 'chat1', message });
      const answered = response.text();
      await expect.poll(() => approvalsOf(second), { timeout: 20_000 }).not.toBeUndefined();
      expect(
        (await post(`${second.url}/chat/chat1/approvals/${await approvalsOf(second)}`, { approved: true })).status,
      ).toBe(200);
      expect([await answered, existsSync(made)]).toEqual([expect.stringContaining('done'), true]);
    } finally {
      await second.kill();
    }
  });
});

/** The approval that the turn shows. */
async function approvalsOf({ url }: Server): Promise<string | undefined> {
  const stopping = new AbortController();
  const response = await fetch(`${url}/chat/chat1/stream`, { signal: stopping.signal });
  if (response.status === 204) return undefined;
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader?.read())?.value ?? '';
  let seen = first;
  // What there is comes at once; an answer that runs ends only later.
  while (!seen.includes('tool-approval-request') && !seen.includes('[DONE]'))
    seen += (await reader?.read())?.value ?? '';
  stopping.abort();
  return /"type":"tool-approval-request","approvalId":"([^"]+)"/.exec(seen)?.[1];
}
