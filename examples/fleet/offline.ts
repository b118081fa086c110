/*
 * Runs the example as `npm run fleet` does, with the real CLI and a scripted model: kills the worker that answers through the panel, follows the
 * answer to its end at another gateway, and looks for what is left.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hermeticHome, processesMentioning, requireCli, survivors } from '@hexagent/testing/cli';
import type { WorkerView } from './workers.ts';

const lastWords = 'shows what an error looks like';

await using home = await hermeticHome();
// Started by root, PostgreSQL runs as another user.
await chmod(home.root, 0o755);
const program = fileURLToPath(new URL('fleet.ts', import.meta.url));
const fleet = spawn(process.execPath, ['--conditions=@hexagent/source', program, '--no-open'], {
  cwd: home.cwd,
  env: {
    PATH: process.env['PATH'],
    HOME: home.home,
    TMPDIR: home.tmp,
    CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(fleet, 'exit');
try {
  const url = await printedAddress();
  await continuesAfterAKill(url);
  await replacesWorkers(url);
  await refusesOtherPages(url);
} finally {
  const running = processesMentioning(home.root).map(({ pid }) => pid);
  fleet.kill('SIGTERM');
  assert.deepEqual(await exited, [143, null]);
  assert.deepEqual(await survivors(running, 10_000), []);
  assert.deepEqual(
    (await readdir(home.tmp)).filter((name) => name.startsWith('hexagent')),
    [],
  );
}
console.log('The fleet did what it should, and left nothing behind.');

async function printedAddress(): Promise<string> {
  for await (const line of createInterface({ input: fleet.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The fleet did not start.');
}

async function continuesAfterAKill(url: string): Promise<void> {
  const message = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
  const answer = await post(`${url}/api/chat`, { id: 'chat', message });
  const driving = await killWhileItAnswers(answer, url);
  // The request for the stream is the next one, so another gateway has it.
  const text = await eventually(async () => {
    const response = await fetch(`${url}/api/chat/chat/stream`);
    const read = response.status === 200 ? await response.text().catch(() => '') : '';
    const all = [...read.matchAll(/^data: (\{"type":"text-delta".*)$/gm)].map(
      ([, json = '']) => JSON.parse(json).delta,
    );
    return all.join('').includes(lastWords) ? all.join('') : undefined;
  });
  assert.match(text, /^I am a script on your machine/);
  const holders = (await workersOf(url)).filter(({ chats }) => chats > 0).map(({ name }) => name);
  assert.equal(holders.length, 1);
  assert.notEqual(holders[0], driving);
  console.log(`${driving} was killed in the middle of a turn, which ${holders[0]} continued.`);
}

async function killWhileItAnswers(answer: Response, url: string): Promise<string> {
  let read = '';
  let driving = '';
  try {
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      read += piece;
      if (driving !== '' || !read.includes('"text-delta"')) continue;
      driving = (await workersOf(url)).find(({ chats }) => chats > 0)?.name ?? '';
      await post(`${url}/api/workers/${driving}/kill`);
    }
  } catch {
    // As a page sees it, whose stream breaks off.
  }
  assert.notEqual(driving, '', `Nothing was killed: ${read}`);
  assert.ok(!read.includes(lastWords), 'The turn had ended before the worker was killed.');
  return driving;
}

async function replacesWorkers(url: string): Promise<void> {
  assert.equal((await post(`${url}/api/workers`)).status, 204);
  const holder = (await workersOf(url)).find(({ chats }) => chats > 0)?.name ?? '';
  assert.equal((await post(`${url}/api/workers/${holder}/drain`)).status, 204);
  const names = await eventually(async () => {
    const all = await workersOf(url);
    return all.some(({ name, condition }) => name === holder || condition !== 'running') ? undefined : all;
  });
  assert.equal(names.length, 2);
  console.log(`A worker was started, and ${holder} was drained.`);
}

async function refusesOtherPages(url: string): Promise<void> {
  const [{ name } = { name: '' }] = await workersOf(url);
  const answer = await fetch(`${url}/api/workers/${name}/kill`, {
    method: 'POST',
    headers: { origin: 'http://evil.example' },
  });
  assert.equal(answer.status, 403);
}

async function workersOf(url: string): Promise<readonly WorkerView[]> {
  const body: unknown = await (await fetch(`${url}/api/workers`)).json();
  return Reflect.get(Object(body), 'workers') as readonly WorkerView[]; // as the front answers
}

function post(url: string, body: object = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

async function eventually<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(100);
  }
  throw new Error('It did not happen.');
}
