import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { readEntry } from '../src/proc.ts';
import { readShell } from '../src/process-mark.ts';
import { watchdogScript } from '../src/watchdog-script.ts';
import { restless } from './fixtures/restless.ts';
import { fixture, Sleepers, survivors } from './running.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 180_000 });

interface Agent {
  readonly id: string;
  readonly agent: number;
  readonly tools: readonly number[];
  readonly all: readonly number[];
}

const newId = (): string => randomUUID().replaceAll('-', '');

async function agentWithTools(manners: object = {}): Promise<Agent> {
  const id = newId();
  const child = spawn(process.execPath, [fixture('with-tools.mjs'), JSON.stringify(manners)], { detached: true });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { agent, tools, helper } = JSON.parse(line.toString()) as { agent: number; tools: number[]; helper: number };
  return { id, agent, tools, all: [agent, ...tools, helper] };
}

/** An agent that has run these lines; see the fixture. */
async function agentThat(lines: readonly object[], sleepers: Sleepers): Promise<{ id: string; pid: number }> {
  const id = newId();
  const env = { ...process.env, ...sleepers.env, HEXAGENT_AGENT: id };
  const child = spawn(process.execPath, [fixture('running-tools.mjs')], { detached: true, env });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const line of lines) {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    await answers.next();
  }
  return { id, pid: child.pid ?? Number.NaN };
}

function shellOf(pid: number): string {
  return readShell(readFileSync(`/proc/${pid}/environ`, 'latin1'));
}

function watchdog(script = watchdogScript, shell = '/bin/sh'): ChildProcessWithoutNullStreams {
  const args = shell.endsWith('busybox') ? ['sh', '-c', script] : ['-c', script];
  return spawn(shell, args, { detached: true });
}

const viaAll = watchdogScript.replace(/^scan\(\).*$/m, 'scan() { scan_all; }');
const viaPs = viaAll.replace('/proc/self/stat', '/nowhere');
/** As on macOS, with the options of the installed `ps`. */
const marksViaPs = watchdogScript.replace('[ -r /proc/self/environ ]', 'false').replace('ps -A -E -ww', 'ps axeww');
/** Of the machine only what carries the id, since reading it all one by one takes minutes where many processes run. */
const marksOneByOne = watchdogScript
  .replace('= 1 ]; then', '= 2 ]; then')
  .replace('in /proc/[0-9]*; do', 'in $(grep -ls "$*" /proc/[0-9]*/environ | sed s:/environ::); do');
const shells = ['/bin/dash', '/bin/bash', '/bin/busybox'].filter((shell) => existsSync(shell));

describe('The watchdog, when its pipe breaks,', () => {
  it.each([
    ['the children of each thread', watchdogScript],
    ['every process in /proc', viaAll],
    ['ps, as on macOS', viaPs],
  ])('ends an agent with all its descendants, found through %s', async (_, script) => {
    const { id, agent, all } = await agentWithTools();
    watchdog(script).stdin.end(`new ${id} end -\npid ${id} ${agent}\n`);
    expect(await survivors(all, 90_000)).toEqual([]);
  });

  it.each(shells)('stops every agent before it does anything else, by %s', async (shell) => {
    const agents = await Promise.all([agentWithTools(), agentWithTools()]);
    const tools = ['cat', 'grep', 'kill', 'ps', 'rm', 'sed', 'sleep', 'tr', 'xargs'];
    const reporting = tools.map((tool) => `${tool}() { echo ${tool} "$@" >&2; command ${tool} "$@"; }`).join('\n');
    const dog = watchdog(`${reporting}\n${watchdogScript}`, shell);
    dog.stdin.end(agents.map(({ id, agent }) => `new ${id} end -\npid ${id} ${agent}\n`).join(''));
    const reported = (await text(dog.stderr)).split('\n');
    expect(reported.slice(0, 2)).toEqual(agents.map(({ agent }) => `kill -STOP -${agent}`));
    expect(reported.filter((line) => line.includes('CONT'))).toEqual([]);
  });

  it.each([
    ['in one go', watchdogScript],
    ['one after the other, where grep stops at the first variable', marksOneByOne],
    ['through ps, as on macOS', marksViaPs],
  ])('ends what has lost its parent, reading the environments %s', async (_, script) => {
    await using sleepers = new Sleepers();
    const { id, pid } = await agentThat([{ run: 'nohup sleep 301 & setsid sleep 302 &' }], sleepers);
    await sleepers.are([301, 302]);
    const dog = watchdog(script);
    dog.stdin.end(`new ${id} end -\npid ${id} ${pid}\n`);
    await once(dog, 'exit');
    await sleepers.leave([]);
  });

  it.each(shells)('does both in %s', async (shell) => {
    await using sleepers = new Sleepers();
    const one = await agentWithTools();
    const other = await agentThat([{ run: 'nohup sleep 301 &' }], sleepers);
    await sleepers.are([301]);
    const dog = watchdog(watchdogScript, shell);
    dog.stdin.end(
      `new ${one.id} end -\npid ${one.id} ${one.agent}\nnew ${other.id} end -\npid ${other.id} ${other.pid}\n`,
    );
    await once(dog, 'exit');
    expect(await survivors(one.all, 20_000)).toEqual([]);
    await sleepers.leave([]);
  });

  it('has what it was given at its start, even if its program has already exited', async () => {
    await using sleepers = new Sleepers();
    const { id, pid } = await agentThat([{ run: 'setsid sleep 301 &' }], sleepers);
    await sleepers.are([301]);
    const env = { ...process.env, WATCHED: `new ${id} end -\npid ${id} ${pid}\n` };
    await once(spawn('/bin/sh', ['-c', watchdogScript], { detached: true, env, stdio: 'ignore' }), 'exit');
    expect(await survivors([pid], 20_000)).toEqual([]);
    await sleepers.leave([]);
  });

  it('ends an agent whose number it never received, even if it is started a moment later', async () => {
    await using sleepers = new Sleepers();
    await using folder = await temporaryFolder();
    const id = newId();
    const [begun, running] = [`${folder.path}/begun`, `${folder.path}/running`];
    // It gives such an agent 0.3 seconds; on a busy machine nothing is certain to happen in those.
    const dog = watchdog(watchdogScript.replace('sleep 0.3', `until [ -e '${running}' ]; do sleep 0.01; done`));
    await folder.file('begun', '');
    dog.stdin.end(`new ${id} end ${begun}\n`);
    const env = { ...process.env, ...sleepers.env, HEXAGENT_AGENT: id };
    await expect.poll(() => existsSync(begun), { timeout: 20_000 }).toBe(false);
    const agent = `trap '' TERM; sleep 301 & : >'${running}'; wait`;
    const late = spawn('/bin/sh', ['-c', agent], { detached: true, env });
    await Promise.all([once(dog, 'exit'), once(late, 'exit')]);
    await sleepers.leave([]);
  });

  it('ends what starts itself anew all the time', async () => {
    await using sleepers = new Sleepers();
    const { id, pid } = await agentThat([{ start: restless(0.5) }], sleepers);
    await expect.poll(() => sleepers.now().length, { timeout: 20_000 }).toBeGreaterThan(1);
    const dog = watchdog();
    dog.stdin.end(`new ${id} end -\npid ${id} ${pid}\n`);
    await once(dog, 'exit');
    await sleepers.leave([]);
  });

  it('leaves what a finished tool put into the background, where its mode is to leave it', async () => {
    await using sleepers = new Sleepers();
    const lines = [{ run: 'nohup sleep 303 & setsid sleep 304 &' }, { start: 'setsid sleep 301 & wait' }];
    const { id, pid } = await agentThat(lines, sleepers);
    await sleepers.are([301, 303, 304]);
    const dog = watchdog();
    dog.stdin.end(`new ${id} leave -\npid ${id} ${pid}\nshell ${id} ${shellOf(pid)}\n`);
    await once(dog, 'exit');
    await sleepers.leave([303, 304]);
  });

  it.each(shells)(
    'ends what an agent was running that died before, and leaves the rest if its line is `leave`, in %s',
    async (shell) => {
      await using sleepers = new Sleepers();
      const running = 'nohup sleep 301 & setsid sleep 302 & wait';
      const lines = [{ run: 'nohup sleep 304 & setsid sleep 305 &' }, { start: running }, { serve: 'sleep 303' }];
      const { id, pid } = await agentThat(lines, sleepers);
      await sleepers.are([301, 302, 303, 304, 305]);
      const dog = watchdog(watchdogScript, shell);
      dog.stdin.write(`new ${id} leave -\npid ${id} ${pid}\nshell ${id} ${shellOf(pid)}\n`);
      process.kill(pid, 'SIGKILL');
      expect(await survivors([pid], 20_000)).toEqual([]);
      dog.stdin.end(`freed ${id}\n`);
      await once(dog, 'exit');
      await sleepers.leave([304, 305]);
    },
  );

  it('ends what an agent was running that exits in the moment in which it is stopped, and leaves the rest', async () => {
    await using sleepers = new Sleepers();
    const lines = [{ run: 'nohup sleep 303 &' }, { start: 'nohup sleep 301 & setsid sleep 302 & wait' }];
    const { id, pid } = await agentThat(lines, sleepers);
    await sleepers.are([301, 302, 303]);
    const exiting = `kill -KILL ${pid}; while lives ${pid}; do sleep 0.01; done`;
    const dog = watchdog(watchdogScript.replace(/^signal_groups STOP$/m, `${exiting}\n$&`));
    dog.stdin.end(`new ${id} leave -\npid ${id} ${pid}\nshell ${id} ${shellOf(pid)}\n`);
    await once(dog, 'exit');
    await sleepers.leave([303]);
  });

  it('does not touch a process that was given the number of an agent that has left', async () => {
    const other = spawn('/bin/cat', { detached: true });
    const id = newId();
    const dog = watchdog();
    dog.stdin.end(`new ${id} end -\npid ${id} ${other.pid}\nfreed ${id}\n`);
    await once(dog, 'exit');
    expect(await survivors([other.pid ?? 0], 0)).toEqual([other.pid]);
    other.kill('SIGKILL');
  });

  it.each(shells)('does not touch a process that began at another time than the agent, in %s', async (shell) => {
    await using sleepers = new Sleepers();
    const { pid } = await agentThat([{ start: 'sleep 301 & wait' }], sleepers);
    await sleepers.are([301]);
    const dog = watchdog(watchdogScript, shell);
    // Under an id that it does not carry, since what carries the id is ended in any case.
    const other = newId();
    dog.stdin.end(`new ${other} end -\npid ${other} ${pid} 12345\n`);
    await once(dog, 'exit');
    expect([await survivors([pid], 0), sleepers.now()]).toEqual([[pid], [301]]);
  });

  it.each(shells)('ends an agent whose start time is that of its line, in %s', async (shell) => {
    const { id, agent, all } = await agentWithTools();
    const dog = watchdog(watchdogScript, shell);
    dog.stdin.end(`new ${id} end -\npid ${id} ${agent} ${readEntry(agent)?.began}\n`);
    await once(dog, 'exit');
    expect(await survivors(all, 20_000)).toEqual([]);
  });

  it('leaves a process alone whose number was another’s when it was listed', async () => {
    await using folder = await temporaryFolder();
    const asked = `${folder.path}/asked`;
    const { id, all, agent, tools } = await agentWithTools({ note: asked, onAsked: 'stay' });
    // From the moment in which they are asked to end, the numbers of the tools are taken for those of others.
    const reused = watchdogScript.replace('began=${20}', `began=\${20}; [ ! -e '${asked}' ] || began=1`);
    const dog = watchdog(reused);
    dog.stdin.end(`new ${id} end -\npid ${id} ${agent}\n`);
    await once(dog, 'exit');
    await expect.poll(() => survivors(all, 0), { timeout: 20_000 }).toEqual(tools);
    for (const pid of tools) process.kill(pid, 'SIGKILL');
  });

  it('removes the folders that it was given, with any characters in their names, and no other', async () => {
    await using folder = await temporaryFolder();
    const odd = `${folder.path}/a b"c$(d)' \\e\\012\nf`;
    await folder.file(`a b"c$(d)' \\e\\012\nf/secret`, 'x');
    await folder.file('kept', 'x');
    const dog = watchdog();
    const escaped = odd.replaceAll('\\', '\\\\').replaceAll('\n', '\\012');
    dog.stdin.end(`new ${newId()} end ${escaped}\nnew ${newId()} leave -\n`);
    await once(dog, 'exit');
    expect([existsSync(odd), existsSync(`${folder.path}/kept`)]).toEqual([false, true]);
  });

  it('leaves those alone that were reported as gone', async () => {
    const [ended, kept] = [spawn('/bin/cat', { detached: true }), spawn('/bin/cat', { detached: true })];
    const [one, other] = [newId(), newId()];
    // Enough for the list to be made anew, and some after that.
    const earlier = Array.from({ length: 150 }, newId).map(
      (id) => `new ${id} end -\npid ${id} ${kept.pid}\ngone ${id}\n`,
    );
    const dog = watchdog();
    dog.stdin.end(
      `new ${one} end -\npid ${one} ${ended.pid}\n${earlier.join('')}new ${other} end -\npid ${other} ${kept.pid}\ngone ${other}\n`,
    );
    await once(dog, 'exit');
    expect(await survivors([ended.pid ?? 0], 20_000)).toEqual([]);
    expect(await survivors([kept.pid ?? 0], 0)).toEqual([kept.pid]);
    kept.kill('SIGKILL');
  });

  it('exits at once when no process is left to watch', async () => {
    const dog = watchdog();
    dog.stdin.end('new a end /nowhere\npid a 999999999\ngone a\n');
    expect(await once(dog, 'exit')).toEqual([0, null]);
  });

  it('is not ended by Ctrl-C or a terminal that closes', async () => {
    const dog = watchdog();
    const ignored = (): number =>
      Number.parseInt(/SigIgn:\s*(\w+)/.exec(readFileSync(`/proc/${dog.pid}/status`, 'utf8'))?.[1] ?? '', 16) & 7;
    await expect.poll(ignored).toBe(7);
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGQUIT'] as const) dog.kill(signal);
    expect(await survivors([dog.pid ?? 0], 100)).toEqual([dog.pid]);
    dog.stdin.end();
    expect(await once(dog, 'exit')).toEqual([0, null]);
  });
});
