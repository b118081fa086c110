import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { CliTransport } from '@hexagent/cli-transport';
import type { Connection, Launch } from '@hexagent/ports';
import { survivors } from '@hexagent/testing/cli';
import { describe, expect, it, vi } from 'vitest';
import { kitFixture, launch } from './agents.ts';
import { restless } from '../../../processes/test/fixtures/restless.ts';
import { background, Sleepers } from './left-behind.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 90_000 });

interface Running {
  readonly connection: Connection;
  readonly pid: number;
}

/** An agent that has run these lines. */
async function agentThat(
  lines: readonly object[],
  { sleepers, leftovers, env = {} }: { sleepers: Sleepers; leftovers?: Launch['leftovers']; env?: Launch['env'] },
): Promise<Running> {
  const transport = new CliTransport({ executable: kitFixture('running-tools.mjs') });
  const more = { leftovers, env: { ...launch().env, ...sleepers.env, ...env } };
  const connection = await transport.connect(launch(more));
  const frames = connection.frames[Symbol.asyncIterator]();
  let pid = Number.NaN;
  for (const line of lines) {
    await connection.send(JSON.stringify(line));
    const { value } = await frames.next();
    ({ pid } = JSON.parse(value?.[0] ?? '') as { pid: number });
  }
  return { connection, pid };
}

const endings: Readonly<Record<string, (running: Running) => Promise<unknown>>> = {
  'close()': ({ connection }) => connection.close(),
  'the end of its input': async ({ connection }) => {
    void connection.end();
    await connection.exit;
  },
  'kill -9': async ({ connection, pid }) => {
    process.kill(pid, 'SIGKILL');
    await connection.exit;
  },
  'an exit of its own': async ({ connection }) => {
    await connection.send('{"exit":3}');
    await connection.exit;
  },
};

describe.each(Object.entries(endings))('What an agent left behind, after %s,', (_, end) => {
  it.each(Object.entries(background))('is ended although a tool put it into the background %s', async (how, run) => {
    await using sleepers = new Sleepers();
    const running = await agentThat([{ run }], { sleepers });
    await sleepers.are(how === 'after forking twice' ? [301, 302] : [301]);
    await end(running);
    expect(sleepers.now()).toEqual([]);
  });

  it('is ended when it was started by an agent within the agent', async () => {
    await using sleepers = new Sleepers();
    const inner = `HEXAGENT_AGENT=$HEXAGENT_AGENT:inner CLAUDE_PID=1 setsid sleep 301 &`;
    const running = await agentThat([{ run: inner }], { sleepers });
    await sleepers.are([301]);
    await end(running);
    expect(sleepers.now()).toEqual([]);
  });

  it('is ended when a wrapper took our mark away and only the number of the agent is left', async () => {
    await using sleepers = new Sleepers();
    const running = await agentThat([{ run: 'env -u HEXAGENT_AGENT setsid sleep 301 &' }], { sleepers });
    await sleepers.are([301]);
    await end(running);
    expect(sleepers.now()).toEqual([]);
  });

  it('is ended when it is a server that moved to a session of its own', async () => {
    await using sleepers = new Sleepers();
    const running = await agentThat([{ serve: 'sleep 301' }], { sleepers });
    await sleepers.are([301]);
    await end(running);
    expect(sleepers.now()).toEqual([]);
  });

  it('is ended although it starts itself anew in a new session all the time, and ignores SIGTERM', async () => {
    await using sleepers = new Sleepers();
    const running = await agentThat([{ run: restless(2) }], { sleepers });
    await expect.poll(() => sleepers.now().length, { timeout: 20_000 }).toBeGreaterThan(1);
    await end(running);
    expect(sleepers.commands()).toEqual([]);
  });

  it('is ended although it is stopped', async () => {
    await using sleepers = new Sleepers();
    // Stopped once it is the program: before, it would never become one.
    const run = 'setsid sleep 301 & until grep -q ^sleep /proc/$!/comm; do sleep 0.01; done; kill -STOP $!';
    const running = await agentThat([{ run }], { sleepers });
    await sleepers.are([301]);
    await end(running);
    expect(sleepers.commands()).toEqual([]);
  });

  it.each(Object.entries(background))('stays with `leave`, if a finished tool put it there %s', async (how, run) => {
    await using sleepers = new Sleepers();
    const running = await agentThat([{ run }], { sleepers, leftovers: 'leave' });
    const left = how === 'after forking twice' ? [301, 302] : [301];
    await sleepers.are(left);
    await end(running);
    expect(sleepers.now()).toEqual(left);
  });
});

describe('With `leave`, processes that were cut off are ended nevertheless:', () => {
  const cutShort = Object.entries(endings).filter(([how]) => how !== 'the end of its input');
  const running = 'nohup sleep 301 & setsid sleep 302 & wait';

  it.each(cutShort)('a running tool with all that it started, after %s', async (_, end) => {
    await using sleepers = new Sleepers();
    const agent = await agentThat([{ start: running }], { sleepers, leftovers: 'leave' });
    await sleepers.are([301, 302]);
    await end(agent);
    expect(sleepers.now()).toEqual([]);
  });

  it.each(cutShort)('a server that moved to a session of its own, after %s', async (_, end) => {
    await using sleepers = new Sleepers();
    const agent = await agentThat([{ serve: 'sleep 301' }], { sleepers, leftovers: 'leave' });
    await sleepers.are([301]);
    await end(agent);
    expect(sleepers.now()).toEqual([]);
  });

  it.each(cutShort)('but not what an earlier tool had finished with, after %s', async (_, end) => {
    await using sleepers = new Sleepers();
    const lines = [{ run: 'setsid sleep 303 &' }, { run: 'nohup sleep 304 &' }, { start: running }];
    const agent = await agentThat(lines, { sleepers, leftovers: 'leave' });
    await sleepers.are([301, 302, 303, 304]);
    await end(agent);
    expect(sleepers.now()).toEqual([303, 304]);
  });

  it('where the variables of a shell were set for the agent as well', async () => {
    await using sleepers = new Sleepers();
    const env = { SHLVL: '4', _: '/usr/bin/somewhere' };
    const lines = [{ run: 'setsid sleep 303 &' }, { start: running }];
    const agent = await agentThat(lines, { sleepers, leftovers: 'leave', env });
    await sleepers.are([301, 302, 303]);
    process.kill(agent.pid, 'SIGKILL');
    await agent.connection.exit;
    expect(sleepers.now()).toEqual([303]);
  });

  it('when `close()` comes after the agent has left because its input ended', async () => {
    await using sleepers = new Sleepers();
    const lines = [{ run: 'nohup sleep 303 &' }, { start: running }];
    const { connection } = await agentThat(lines, { sleepers, leftovers: 'leave' });
    await sleepers.are([301, 302, 303]);
    await connection.end();
    await connection.exit;
    await connection.close();
    expect(sleepers.now()).toEqual([303]);
  });
});

describe('With `wait`, what was left behind', () => {
  const until = (file: string, after: string): string =>
    `setsid sh -c 'sleep 301 & while [ ! -e ${file} ]; do sleep 0.05; done; kill $!; touch ${after}' &`;

  it('may end before the exit is reported', async () => {
    await using sleepers = new Sleepers();
    await using folder = await temporaryFolder();
    const [go, done] = [`${folder.path}/go`, `${folder.path}/done`];
    const running = await agentThat([{ run: until(go, done) }], { sleepers, leftovers: 'wait' });
    await sleepers.are([301]);
    void running.connection.end();
    expect(await survivors([running.pid], 20_000)).toEqual([]);
    await writeFile(go, '');
    expect(await running.connection.exit).toMatchObject({ code: 0, closed: false });
    expect([existsSync(done), sleepers.now()]).toEqual([true, []]);
  });

  it('is ended when `close()` is called meanwhile', async () => {
    await using sleepers = new Sleepers();
    const running = await agentThat([{ run: 'setsid sleep 301 &' }], { sleepers, leftovers: 'wait' });
    await sleepers.are([301]);
    void running.connection.end();
    expect(await survivors([running.pid], 20_000)).toEqual([]);
    const began = performance.now();
    await running.connection.close();
    expect(performance.now() - began).toBeLessThan(2500);
    expect(sleepers.now()).toEqual([]);
  });

  it('is ended when the agent was killed', async () => {
    await using sleepers = new Sleepers();
    const running = await agentThat([{ run: 'setsid sleep 301 &' }], { sleepers, leftovers: 'wait' });
    await sleepers.are([301]);
    process.kill(running.pid, 'SIGKILL');
    await running.connection.exit;
    expect(sleepers.now()).toEqual([]);
  });
});

it('What another agent left behind is left alone', async () => {
  await using sleepers = new Sleepers();
  await using other = new Sleepers();
  const elder = await agentThat([{ run: 'setsid sleep 401 &' }], { sleepers: other, leftovers: 'leave' });
  await other.are([401]);
  await elder.connection.close();
  const running = await agentThat([{ run: 'setsid sleep 301 &' }], { sleepers });
  await sleepers.are([301]);
  await running.connection.close();
  expect([sleepers.now(), other.now()]).toEqual([[], [401]]);
});
