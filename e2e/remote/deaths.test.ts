import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSession } from '@hexagent/sdk';
import { descendants, processes, processesMentioning } from '@hexagent/testing/cli';
import { gate, text, toolUse, type Script } from '@hexagent/testing/loopback';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePending } from '../support/asking.ts';
import { cli, withCli } from '../support/cli.ts';
import { compileCache } from '../support/compile-cache.ts';
import { stage, type Stage } from '../support/stage.ts';
import { canBePlaced, startPlaces, type PlaceName, type Places } from './places.ts';

let places: Places;
const stubborn = "trap '' TERM INT HUP; touch begun; tail -f /dev/null --pid=1; tail -f /dev/null --pid=1";

interface Doing {
  readonly script: Script;
  /** Whether it does that now. */
  readonly isReached: (stage: Stage, output: string) => boolean;
}

/** What the agent does when its connection ends. */
const doings: Readonly<Record<string, Doing>> = {
  'it is idle': { script: ['Hello.'], isReached: (_, output) => output.includes('result') },
  'it streams': {
    script: [text(['word ', gate()])],
    isReached: ({ loopback }) => loopback.requests.length > 0,
  },
  // It would take the end of its input for a no, and ask the model what next.
  'it waits for a permission': {
    script: [toolUse('Bash', { command: 'touch made' }), 'Never said.'],
    isReached: (_, output) => output.includes('assistant'),
  },
  'it runs a command that ignores every polite signal': {
    script: [toolUse('Bash', { command: stubborn }), 'Never said.'],
    isReached: ({ home }) => existsSync(join(home.cwd, 'begun')),
  },
};

/** A program that runs an agent there. */
function program(name: PlaceName, at: Stage, allow: readonly string[]): ChildProcessWithoutNullStreams {
  const { argv } = places.of[name]({});
  const { cwd, env } = at.options;
  const given = { argv: argv('1'), cli, cwd, env, permissions: { allow } };
  const path = fileURLToPath(new URL('./fixtures/remote-program.ts', import.meta.url));
  return spawn(process.execPath, ['--conditions=@hexagent/source', path, JSON.stringify(given)], {
    env: { ...process.env, ...compileCache },
  });
}

/** The processes of the agent. The program itself has the folder of the test on its command line. */
const agents = (at: Stage): readonly number[] =>
  processesMentioning(at.home.home).flatMap(({ pid, command }) => (command.includes('remote-program') ? [] : [pid]));

describe.skipIf(!canBePlaced)('An agent elsewhere', () => {
  beforeAll(async () => void (places = await startPlaces()));
  afterAll(() => places[Symbol.asyncDispose]());

  withCli(
    '#48 is gone, with its tools and its files, and asks the model nothing more, when its program is killed while',
    () => {
      it.each([
        ...Object.keys(doings).map((doing) => ['ssh', doing] as const),
        ['a container', 'it waits for a permission'] as const,
        ['a container', 'it runs a command that ignores every polite signal'] as const,
        ['a namespace', 'it streams'] as const,
        ['an image', 'it streams'] as const,
      ])('over %s, %s', async (name, doing) => {
        const { script, isReached } = doings[doing]!;
        await using at = await stage(script);
        const child = program(name, at, doing.includes('command') ? ['Bash'] : []);
        let output = '';
        child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
        child.stderr.setEncoding('utf8').on('data', (piece: string) => (output += piece));
        await expect.poll(() => isReached(at, output), { timeout: 60_000 }).toBe(true);
        expect(agents(at)).not.toEqual([]);
        const asked = at.loopback.requests.length;
        child.kill('SIGKILL');
        await expect.poll(() => agents(at), { timeout: 20_000 }).toEqual([]);
        await expect.poll(() => places.privateFolders(), { timeout: 20_000 }).toEqual([]);
        expect(at.loopback.requests).toHaveLength(asked);
        expect(existsSync(join(at.home.cwd, 'made'))).toBe(false);
      });
    },
  );

  withCli('is gone when the connection is cut,', () => {
    it('and its turn ends with the last lines of ssh', async () => {
      await using at = await stage([toolUse('Bash', { command: 'touch made' }), 'Never said.']);
      const executable = places.of.ssh({ cli });
      await using session = await openSession({ ...at.options, executable, onAsk: () => null });
      const turn = session.send('go');
      await onePending(session);
      // The process of the server for this connection: it dies as if the machine between them did.
      const ofServer = new Set(descendants(places.sshd.pid));
      for (const { pid, command } of processes())
        if (ofServer.has(pid) && command.startsWith('sshd:')) process.kill(pid, 'SIGKILL');
      await expect(turn.result).rejects.toMatchObject({ code: 'AGENT_EXITED', exitCode: 255, stderr: /closed|reset/i });
      await expect.poll(() => agents(at), { timeout: 20_000 }).toEqual([]);
      await expect.poll(() => places.privateFolders(), { timeout: 20_000 }).toEqual([]);
      expect(at.loopback.requests).toHaveLength(1);
    });
  });

  withCli('has neither a key, a rule nor a setting on a command line of either side,', () => {
    it('from the start of the connection to its end', async () => {
      const secret = 'made-up-secret-of-the-watched-test';
      await using at = await stage(['Hello.'], { ANTHROPIC_API_KEY: secret });
      const seen = new Set<string>();
      const over = new AbortController();
      const watching = (async () => {
        while (!over.signal.aborted) {
          for (const { command } of processes()) if (command.includes(secret)) seen.add(command);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      })();
      const session = await openSession({
        ...at.options,
        executable: places.of.ssh({ cli }),
        systemPrompt: secret,
        tools: [{ failing: { type: 'stdio', command: '/bin/false', env: { SECRET: secret } } }],
      });
      await session.send('go').result;
      const agent = agents(at).find((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(secret));
      await session.close();
      over.abort();
      await watching;
      expect(agent).toBeDefined();
      expect([...seen]).toEqual([]);
    });
  });
});
