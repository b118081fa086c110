import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prewarm, startup, type Options } from '@hexagent/sdk/claude-agent-sdk';
import { processesMentioning } from '@hexagent/testing/cli';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { runWithPipes } from '../support/running-program.ts';
import { stage, type Stage } from '../support/stage.ts';

const program = fileURLToPath(new URL('fixtures/parking-program.ts', import.meta.url));

interface Scene extends AsyncDisposable {
  readonly options: { readonly pathToClaudeCodeExecutable: string; readonly cwd: string; readonly env: Stage['env'] };
  /** The CLIs that run. */
  agents(): readonly number[];
  /** The folders in which spare agents are parked. */
  spares(): readonly string[];
}

async function scene(): Promise<Scene> {
  const marker = `hexagent-run-${randomUUID()}`;
  const place = await stage(['done'], { HEXAGENT_TEST_RUN: marker });
  const found = (): ReturnType<typeof processesMentioning> => processesMentioning(`HEXAGENT_TEST_RUN=${marker}`);
  const config = place.env['CLAUDE_CONFIG_DIR'] ?? join(place.env['HOME'] ?? '', '.claude');
  const agents = (): readonly number[] => found().map(({ pid }) => pid);
  return {
    options: { pathToClaudeCodeExecutable: cli, cwd: place.home.cwd, env: place.env },
    agents,
    spares: () => readdirSync(join(config, 'spares')),
    async [Symbol.asyncDispose]() {
      for (const pid of agents()) process.kill(pid, 'SIGKILL');
      await place[Symbol.asyncDispose]();
    },
  };
}

withCli('An agent that waits for its prompt', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('ends with the program, by %s too, and leaves no folder', async (signal) => {
    await using at = await scene();
    await using running = runWithPipes(['--conditions=@hexagent/source', program, JSON.stringify(at.options)], {
      cwd: at.options.cwd,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    await running.shows('parked 2');
    expect(at.agents().length).toBeGreaterThanOrEqual(2);
    expect(at.spares()).toHaveLength(1);
    process.kill(running.pid, signal);
    await running.exitCode;
    await expect.poll(at.agents, { timeout: 20_000 }).toEqual([]);
    await expect.poll(at.spares, { timeout: 20_000 }).toEqual([]);
  });

  it('is reported when it is killed, and leaves no folder', async () => {
    await using at = await scene();
    const { cwd: _, ...parked } = at.options;
    const spare = await prewarm({ options: parked });
    for (const pid of at.agents()) process.kill(pid, 'SIGKILL');
    await spare.exited;
    await expect(spare.claimed).rejects.toThrow('spare_exited');
    expect(() => spare.claim({ prompt: 'x', options: { cwd: '/' } })).toThrow('start the session with query()');
    expect(at.spares()).toEqual([]);
  });

  it('may be started by a function of the program, in a folder that goes with it', async () => {
    await using at = await scene();
    const { cwd: _, ...parked } = at.options;
    const spawnClaudeCodeProcess: Options['spawnClaudeCodeProcess'] = ({ command, args, cwd, env }) =>
      spawn(command, args, { cwd, env });
    {
      await using spare = await prewarm({ options: { ...parked, spawnClaudeCodeProcess } });
      expect(at.spares()).toHaveLength(1);
      const claimed = spare.claim({ prompt: 'x', options: { cwd: at.options.cwd } });
      const types: string[] = [];
      for await (const { type } of claimed) types.push(type);
      expect(types).toContain('result');
    }
    await expect.poll(at.spares, { timeout: 20_000 }).toEqual([]);
  });

  it('ends with close(), and with the block that holds it', async () => {
    await using at = await scene();
    const { cwd: _, ...parked } = at.options;
    {
      await using warm = await startup({ options: at.options });
      await using spare = await prewarm({ options: parked });
      expect([typeof warm.query, typeof spare.claim]).toEqual(['function', 'function']);
    }
    expect(at.agents()).toEqual([]);
    const closed = await startup({ options: at.options });
    closed.close();
    await expect.poll(at.agents, { timeout: 20_000 }).toEqual([]);
    expect(at.spares()).toEqual([]);
  });
});
