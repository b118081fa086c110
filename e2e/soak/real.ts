import { AbortError, AgentExitedError, deny, ask, openSession } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import { processesMentioning } from '@hexagent/testing/cli';
import { gate, hang, text, toolUse } from '@hexagent/testing/loopback';
import { expect } from 'vitest';
import { cli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import type { Kind } from './in-memory.ts';

/** Sessions with the real CLI and a scripted model. */
export const real: Readonly<Record<string, Kind>> = {
  'one answer': async (signal) => {
    await using place = await stage(['hello']);
    const { options } = place;
    expect(await ask('hi', { ...options, signal }).result).toMatchObject({ text: 'hello' });
  },

  'three turns': async (signal) => {
    await using place = await stage(['one', 'two', 'three']);
    const { options } = place;
    const session = await openSession({ ...options, signal });
    for (const text of ['a', 'b', 'c']) expect(await session.send(text).result).toMatchObject({ kind: 'completed' });
    await session.finish();
  },

  'a query left in the middle': async () => {
    const silence = gate();
    await using place = await stage([[text(['hel', silence])]]);
    const asked = query({ prompt: 'hi', options: dropIn(place) });
    for await (const message of asked) if (message.type === 'system') break;
    await asked[Symbol.asyncDispose]();
  },

  'an aborted query': async () => {
    await using place = await stage([[text(['hel', hang()])]]);
    const abortController = new AbortController();
    const asked = query({ prompt: 'hi', options: { ...dropIn(place), abortController } });
    const reading = (async () => {
      for await (const message of asked) if (message.type === 'system') abortController.abort();
    })();
    await expect(reading).rejects.toBeInstanceOf(AbortError);
    await asked[Symbol.asyncDispose]();
  },

  'an interrupted turn': async (signal) => {
    const silence = hang();
    await using place = await stage([[text(['hel', silence])], 'next']);
    const session = await openSession({ ...place.options, signal });
    const turn = session.send('hi');
    await silence.reached;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await session.send('again').result).toMatchObject({ text: 'next' });
    await session.close();
  },

  'a denied tool': async (signal) => {
    await using place = await stage([toolUse('Bash', { command: 'touch x' }), 'Denied.']);
    const { options } = place;
    const session = await openSession({ ...options, signal, onAsk: () => deny('No.') });
    expect(await session.send('touch x').result).toMatchObject({ kind: 'completed', text: 'Denied.' });
    await session.finish();
  },

  'a background shell': async (signal) => {
    await using place = await stage([
      toolUse('Bash', { command: 'tail -f /dev/null', run_in_background: true }),
      'Started.',
    ]);
    const { options } = place;
    const session = await openSession({ ...options, signal, permissions: { allow: ['Bash'] } });
    expect(await session.send('watch').result).toMatchObject({ text: 'Started.' });
    await session.finish();
  },

  'a closing while a command runs': async (signal) => {
    await using place = await stage([toolUse('Bash', { command: 'sleep 300' })]);
    const { options } = place;
    const session = await openSession({ ...options, signal, permissions: { allow: ['Bash'] } });
    const turn = session.send('sleep');
    for await (const message of turn) if (message.type === 'assistant') break;
    await session.close();
    // Interrupted, or cut off: how far the CLI came before it was ended is not the point here.
    await Promise.allSettled([turn.result]);
  },

  'a killed CLI': async (signal) => {
    const silence = hang();
    await using place = await stage([[text(['hel', silence])]]);
    // A folder that only this CLI has in its arguments, so that no other is killed.
    const session = await openSession({ ...place.options, signal, additionalDirectories: [place.home.home] });
    const { result } = session.send('hi');
    await silence.reached;
    for (const { pid } of processesMentioning(`--add-dir=${place.home.home}`)) process.kill(pid, 'SIGKILL');
    await expect(result).rejects.toBeInstanceOf(AgentExitedError);
    await session.close();
  },

  'an unknown flag': async (signal) => {
    await using place = await stage([]);
    const { options } = place;
    const session = await openSession({ ...options, signal, extraArgs: { 'no-such-flag': null } });
    await expect(session.send('hi').result).rejects.toBeInstanceOf(AgentExitedError);
    await session.close();
  },

  'a CLI that is not there': async (signal) => {
    await using place = await stage([]);
    const { options } = place;
    await expect(openSession({ ...options, signal, executable: '/nowhere/claude' })).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
    });
  },
};

function dropIn({ home, env }: Stage) {
  return { cwd: home.cwd, pathToClaudeCodeExecutable: cli, env };
}
