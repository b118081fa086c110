import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deferred } from '@hexagent/async';
import type { Exit, UserInput, Warning } from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { describe, expect, it, vi } from 'vitest';
import { watchSession } from '../src/session-watch.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 90_000 });

type Watched = ReturnType<typeof watched>;

/** A session that is watched by a clock of the test, in a process that nothing else keeps running. */
function watched({ isKept = true } = {}) {
  const clock = new HandClock();
  const warnings: Warning[] = [];
  const conversation = { isIdle: true };
  const exited = new Deferred<Exit>();
  const none = async function* (): AsyncGenerator<never> {};
  const session = watchSession(
    { exited: exited.promise, turns: none(), messages: none(), send: (_input: string | UserInput) => undefined },
    {
      conversation,
      clock,
      warn: (warning) => void warnings.push(warning),
      openedAt: 'main (/app/main.js:3:7)',
      keptByAgents: (count) => isKept && count === 1,
    },
  );
  const close = async (): Promise<void> => {
    exited.resolve({ code: 0, signal: null, stderr: '', closed: true });
    await exited.promise;
  };
  return { session, close, clock, warnings, conversation };
}

describe('A session that is not closed', () => {
  it('is warned of after ten idle seconds, once, with the place where it was opened', async () => {
    const { close, clock, warnings } = watched();
    for (let seconds = 0; seconds < 8; seconds += 2) clock.advance(2000);
    expect(warnings).toEqual([]);
    for (let seconds = 0; seconds < 60; seconds += 2) clock.advance(2000);
    expect(warnings).toMatchObject([
      {
        code: 'HEXAGENT_SESSION_OPEN',
        message: expect.stringContaining('opened at main (/app/main.js:3:7) has been idle'),
      },
    ]);
    await close();
    expect(clock.waiting).toBe(0);
  });

  it.each<[string, (watched: Watched) => unknown]>([
    ['unsolicited turns are read', ({ session }) => session.turns[Symbol.asyncIterator]()],
    ['its other messages are read', ({ session }) => session.messages[Symbol.asyncIterator]()],
    ['its exit is waited for', ({ session }) => void session.exited.then(() => {})],
    ['it is closed', async ({ close }) => await close()],
  ])('is not warned of where %s', async (_, act) => {
    const held = watched();
    await act(held);
    for (let seconds = 0; seconds < 60; seconds += 2) held.clock.advance(2000);
    expect(held.warnings).toEqual([]);
    await held.close();
  });

  it('is not warned of while it works, nor within ten seconds after, nor where something else keeps the process', async () => {
    const busy = watched();
    busy.conversation.isIdle = false;
    for (let seconds = 0; seconds < 60; seconds += 2) busy.clock.advance(2000);
    busy.conversation.isIdle = true;
    for (let seconds = 0; seconds < 8; seconds += 2) busy.clock.advance(2000);
    busy.session.send('go');
    for (let seconds = 0; seconds < 8; seconds += 2) busy.clock.advance(2000);
    expect(busy.warnings).toEqual([]);
    await busy.close();
    const kept = watched({ isKept: false });
    for (let seconds = 0; seconds < 60; seconds += 2) kept.clock.advance(2000);
    expect(kept.warnings).toEqual([]);
    await kept.close();
  });

  const agent = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { request_id } = JSON.parse(line);
    console.log(JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } }));
  });`;

  it('keeps a program running, and warns of it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'hexagent-test-'));
    const executable = join(folder.path, 'agent.cjs');
    await writeFile(executable, agent);
    const child = spawn(
      process.execPath,
      ['--conditions=@hexagent/source', join(import.meta.dirname, 'fixtures/forgets-to-close.mjs'), executable],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('HEXAGENT_SESSION_OPEN')) child.kill();
    });
    await once(child, 'close');
    expect(output).toMatch(/The session opened at .*forgets-to-close\.mjs:\d+:\d+\)? has been idle for 10 seconds/);
  });
});
