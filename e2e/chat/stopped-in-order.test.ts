import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ChatOptions } from '@hexagent/chat';
import { ApprovalFiles } from '@hexagent/host-files';
import type { ApprovalRecord } from '@hexagent/ports';
import { processesMentioning } from '@hexagent/testing/cli';
import { gate, text, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import type { UIMessage } from 'ai';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { compileCache } from '../support/compile-cache.ts';
import { stage, type Stage } from '../support/stage.ts';
import { textsOf } from './chat-place.ts';

const program = fileURLToPath(new URL('serving.ts', import.meta.url));
const question = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: ['red', 'blue'].map((label) => ({ label, description: `It is ${label}.` })),
};
const asking = ['approval', 'question', 'plan'] as const;
const chats = [...asking, 'stream'] as const;
const answers = {
  approval: { approved: true },
  question: { approved: true, answers: { 'Which colour?': 'blue' } },
  plan: { approved: true },
};

/** A model that calls again where its call shows as cut off, and whose first stream ends with its server. */
function model(): (request: ModelRequest) => TurnLike {
  let streams = 0;
  const call = (request: ModelRequest, name: string, input: Record<string, unknown>): TurnLike => {
    const last = toolResults(request).at(-1);
    return last === undefined || /outcome is unknown/.test(last.text) ? toolUse(name, input) : `Done: ${last.text}`;
  };
  return (request) => {
    const conversation = JSON.stringify(request.body.messages);
    const chat = chats.find((name) => conversation.includes(`chat ${name}`));
    if (chat === 'approval') return call(request, 'Bash', { command: 'touch made' });
    if (chat === 'question') return call(request, 'AskUserQuestion', { questions: [question] });
    if (chat === 'plan') return call(request, 'ExitPlanMode', { plan: '# The plan' });
    streams += 1;
    return streams === 1 ? text(['half ', gate()]) : 'whole';
  };
}

interface Server extends AsyncDisposable {
  readonly url: string;
  /** Resolves when the program and its agents have exited. */
  stop(how: string): Promise<void>;
}

const folderOf = ({ home }: Stage): string => path.join(home.root, 'chats');

async function serve(place: Stage, hosting: ChatOptions['hosting'] = {}): Promise<Server> {
  const given = [place.options, hosting].map((options) => JSON.stringify(options));
  const args = ['--conditions=@hexagent/source', program, folderOf(place), ...given];
  const child = spawn(process.execPath, args, { env: compileCache, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string]; // the program prints it
  return {
    url: `http://127.0.0.1:${port}/api`,
    async stop(how) {
      if (how === 'SIGINT' || how === 'SIGTERM') child.kill(how);
      else child.stdin.end(`${how}\n`);
      expect(await exited).toEqual([0, null]);
      expect(processesMentioning(place.home.root)).toEqual([]);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
      await expect.poll(() => processesMentioning(place.home.root), { timeout: 20_000 }).toEqual([]);
    },
  };
}

const post = (url: string, body: object = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function history({ url }: Server, chat: string): Promise<{ messages: UIMessage[]; state: string }> {
  const response = await fetch(`${url}/sessions/${chat}/messages`);
  return (await response.json()) as { messages: UIMessage[]; state: string }; // as the README of http-chat says
}

/** What a page shows of the calls of the agent: their states, and whether they are marked as interrupted. */
async function callsIn(
  server: Server,
  chat: string,
): Promise<readonly (readonly [state: string, isMarked: boolean])[]> {
  const { messages } = await history(server, chat);
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type !== 'dynamic-tool') return [];
      const isMarked = JSON.stringify(part).includes('"resultProviderMetadata":{"hexagent":{"interrupted":true}}');
      return [[part.state, isMarked] as const];
    }),
  );
}

interface Reading {
  /** What a page has received so far. */
  readonly shown: () => string;
  readonly until: (text: string) => Promise<void>;
}

/** Sends the message that begins a chat, and reads its stream for as long as there is a server. */
async function streamOf({ url }: Server, chat: string): Promise<Reading> {
  const message = { id: 'one', role: 'user', parts: [{ type: 'text', text: `chat ${chat}` }] };
  const { body } = await post(`${url}/chat`, { id: chat, message, ...(chat === 'plan' && { permissionMode: 'plan' }) });
  let shown = '';
  const read = async (): Promise<void> => {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) shown += piece;
  };
  void read().catch(() => {}); // a server that is killed breaks it off
  return {
    shown: () => shown,
    async until(wanted) {
      await expect.poll(() => shown, { timeout: 60_000 }).toContain(wanted);
    },
  };
}

/** The approvals of a folder, in a process that has nothing to do with them. */
async function stored(place: Stage): Promise<readonly ApprovalRecord[]> {
  const store = new ApprovalFiles({ folder: folderOf(place) });
  try {
    return await store.list();
  } finally {
    await store.close();
  }
}

async function callsWritten({ home }: Stage): Promise<number> {
  const folder = path.join(home.home, '.claude', 'projects');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.filter((written) => written.includes('"type":"tool_use"')).length;
}

const summary = (records: readonly ApprovalRecord[]): readonly string[] =>
  records.map(({ kind, state }) => `${kind} ${state}`).toSorted();

const stateIn = async (server: Server, chat: string): Promise<string> => (await history(server, chat)).state;

withCli('A server of chats', () => {
  // SIGINT and the line `close` end in the same call as SIGTERM: of them only what is left is compared.
  it.each([
    ['SIGTERM', true],
    ['drain', true],
    ['SIGINT', false],
    ['close', false],
  ])(
    'that is stopped by %s leaves what waited, and the turn that streamed, to the next one',
    { timeout: 180_000 },
    async (how, isContinued) => {
      await using place = await stage(model());
      await using first = await serve(place);
      const streams = await Promise.all(chats.map((chat) => streamOf(first, chat)));
      await streams[3]?.until('half');
      for (const chat of asking)
        await expect.poll(() => stateIn(first, chat), { timeout: 60_000 }).toBe('awaiting-approval');
      // The CLI writes its transcript a moment later; a call that is not in it is made again all the same.
      await expect.poll(() => callsWritten(place), { timeout: 30_000 }).toBe(asking.length);
      await first.stop(how);
      for (const { shown } of streams) {
        expect(shown()).not.toContain('tool-output-denied');
        expect(shown()).not.toContain('"approved":false');
        expect(shown()).not.toContain('"interrupted"');
        expect(shown().includes('"suspended":true')).toBe(true);
      }
      const open = ['permission open', 'plan open', 'question open'];
      expect(summary(await stored(place))).toEqual(open);

      await using second = await serve(place);
      for (const chat of chats) {
        expect([chat, await stateIn(second, chat)]).toEqual([chat, 'held']);
        const calls = chat === 'stream' ? [] : [['output-error', true]];
        expect([chat, await callsIn(second, chat)]).toEqual([chat, calls]);
      }
      if (!isContinued) return;
      for (const chat of chats) expect((await post(`${second.url}/chat/${chat}/restart`)).status).toBe(200);
      for (const chat of asking) {
        await expect.poll(() => stateIn(second, chat), { timeout: 60_000 }).toBe('awaiting-approval');
        const records = (await stored(place)).filter(({ session }) => session.includes(chat));
        expect(records.map(({ state }) => state)).toEqual(['lost', 'open']);
        expect(records[1]?.offered?.id).toBe(records[0]?.id);
        const answered = await post(`${second.url}/chat/${chat}/approvals/${records[1]?.id}`, answers[chat]);
        expect(answered.status).toBe(200);
      }
      for (const chat of chats) await expect.poll(() => stateIn(second, chat), { timeout: 60_000 }).toBe('idle');
      const lastOf = async (chat: string): Promise<string> =>
        textsOf((await history(second, chat)).messages.at(-1) as UIMessage);
      expect(await lastOf('stream')).toBe('whole');
      expect(await lastOf('question')).toContain('"Which colour?"="blue"');
      expect(await lastOf('plan')).toContain('Done: User has approved');
      expect(existsSync(path.join(place.home.cwd, 'made'))).toBe(true);
      for (const chat of asking) {
        // The CLI drops a question or a plan that was cut off.
        const earlier = chat === 'approval' ? [['output-error', true]] : [];
        expect([chat, await callsIn(second, chat)]).toEqual([chat, [...earlier, ['output-available', false]]]);
      }
    },
  );

  it('that continues by itself offers again what waited, and ends the turn that streamed', async () => {
    await using place = await stage(model());
    const hosting = { autoResume: 'continue' } as const;
    await using first = await serve(place, hosting);
    const [, stream] = await Promise.all(['approval', 'stream'].map((chat) => streamOf(first, chat)));
    await stream?.until('half');
    await expect.poll(() => stateIn(first, 'approval'), { timeout: 60_000 }).toBe('awaiting-approval');
    await expect.poll(() => callsWritten(place), { timeout: 30_000 }).toBe(1);
    await first.stop('SIGTERM');
    expect(summary(await stored(place))).toEqual(['permission open']);

    await using second = await serve(place, hosting);
    await expect
      .poll(async () => summary(await stored(place)), { timeout: 60_000 })
      .toEqual(['permission lost', 'permission open']);
    const [lost, open] = await stored(place);
    expect(open?.offered?.id).toBe(lost?.id);
    const lastOfStream = async (): Promise<string> =>
      textsOf((await history(second, 'stream')).messages.at(-1) as UIMessage);
    await expect.poll(lastOfStream, { timeout: 60_000 }).toBe('whole');
    await post(`${second.url}/chat/approval/approvals/${open?.id}`, answers.approval);
    await expect.poll(() => existsSync(path.join(place.home.cwd, 'made')), { timeout: 60_000 }).toBe(true);
  });
});
