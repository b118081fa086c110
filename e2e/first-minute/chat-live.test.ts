import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { processesMentioning } from '@hexagent/testing/cli';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { runWithPipes, type RunningProgram } from '../support/running-program.ts';
import { stage, type Stage } from '../support/stage.ts';

const chat = fileURLToPath(new URL('../../examples/chat/chat.ts', import.meta.url));
const key = 'sk-ant-made-up-for-this-test';

/** An upper bound for a busy machine: each starts the program, its page and the agent. */
const timeout = 180_000;

/** The service of a person is the loopback model here; nothing else is reached. */
const person = (extra: Readonly<Record<string, string>> = {}): Promise<Stage> =>
  stage(() => 'From the service.', { CLAUDE_CODE_PATH: cli, ...extra });

function start(
  { home, env }: Stage,
  { without, flags }: { without?: string; flags: readonly string[] },
): RunningProgram {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => name !== without));
  return runWithPipes(['--conditions=@hexagent/source', chat, '--no-open', ...flags], { cwd: home.cwd, env: own });
}

/** What the page is streamed for a message: its texts, and what went wrong. */
async function answerOf(program: RunningProgram): Promise<string> {
  await program.shows('Ctrl-C ends it.');
  const [url] = /http:\S+/.exec(program.output) ?? [];
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'chat1', message }),
  });
  const chunks = [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json));
  return chunks.map(({ delta, errorText }) => delta ?? errorText ?? '').join('');
}

const keysAt = ({ loopback }: Stage): readonly unknown[] => [
  ...new Set(loopback.requests.map(({ headers }) => headers['x-api-key'] ?? headers['authorization'])),
];

withCli('`npm run chat -- --live`', () => {
  it('talks to the service with the key and the address of the person who starts it', { timeout }, async () => {
    await using place = await person({ ANTHROPIC_API_KEY: key });
    await using running = start(place, { flags: ['--live'] });
    expect(await answerOf(running)).toContain('From the service.');
    expect(keysAt(place)).toEqual([key]);
    process.kill(running.pid, 'SIGTERM');
    expect(await running.exitCode).toBe(143);
    expect(processesMentioning(place.home.root)).toEqual([]);
    expect(running.output).not.toContain(key);
  });

  it(
    'takes the key from the settings of the person who starts it, where the environment has none',
    { timeout },
    async () => {
      await using place = await person();
      const folder = path.join(place.home.home, '.claude');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ apiKeyHelper: `echo ${key}` }));
      await using running = start(place, { flags: ['--live'], without: 'ANTHROPIC_API_KEY' });
      expect(await answerOf(running)).toContain('From the service.');
      expect(keysAt(place).join(' ')).toContain(key);
    },
  );

  it('shows what to do where there is no key at all', { timeout }, async () => {
    await using place = await person();
    await using running = start(place, { flags: ['--live'], without: 'ANTHROPIC_API_KEY' });
    const answer = await answerOf(running);
    expect(answer).toMatch(/ANTHROPIC_API_KEY|log ?in/i);
    expect(place.loopback.requests).toEqual([]);
  });
});

withCli('`npm run chat` alone', () => {
  it('reaches neither the service nor the key of the person who starts it', { timeout }, async () => {
    await using place = await person({ ANTHROPIC_API_KEY: key });
    await using running = start(place, { flags: [] });
    expect(await answerOf(running)).toContain('I am a script on your machine');
    expect([place.loopback.requests, place.loopback.others]).toEqual([[], []]);
  });
});
