import { spawn } from 'node:child_process';
import { SpawnTransport, type SpawnRequest } from '@hexagent/cli-transport';
import { transportContract, type TestAgent } from '@hexagent/testing/contracts';
import { describe, it, vi } from 'vitest';
import { fixture, launch, processFixture } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

/** As the documentation of the official package has a program write it, with the signal. */
const spawnHere = ({ command, args, cwd, env, signal }: SpawnRequest) =>
  spawn(command, args, { cwd, env, signal, stdio: 'pipe' });

function agent(name: string, behaviour?: object): TestAgent {
  const options = { executable: fixture(name), interpreter: process.execPath };
  return {
    transport: new SpawnTransport({ spawn: spawnHere, ...options }),
    launch: launch(behaviour === undefined ? {} : { args: [JSON.stringify(behaviour)] }),
  };
}

transportContract({ describe, it }, processFixture(agent));
