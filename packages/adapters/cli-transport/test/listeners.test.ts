import { CliTransport } from '@hexagent/cli-transport';
import { describe, expect, it, vi } from 'vitest';
import { launch } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

const events = ['exit', 'beforeExit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];

function counts(): readonly number[] {
  return events.map((event) => process.listenerCount(event));
}

describe('#14 A hundred agents at once', () => {
  it('add one listener to the process, none to the signal they share, and leave neither behind', async () => {
    const before = counts();
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    const aborting = new AbortController();
    const added: string[] = [];
    const { signal } = aborting;
    const watched = {
      signal: Object.assign(signal, {
        addEventListener: (...args: Parameters<AbortSignal['addEventListener']>) => {
          added.push(`+${args[0]}`);
          EventTarget.prototype.addEventListener.apply(signal, args);
        },
        removeEventListener: (...args: Parameters<AbortSignal['removeEventListener']>) => {
          added.push(`-${args[0]}`);
          EventTarget.prototype.removeEventListener.apply(signal, args);
        },
      }),
    };
    const transport = new CliTransport({ executable: '/bin/cat' });
    const connections = [];
    for (let n = 0; n < 100; n += 1) connections.push(await transport.connect(launch(), watched));
    expect(counts()).toEqual(before.map((count, index) => (events[index] === 'exit' ? count + 1 : count)));
    expect(added.filter((what) => what === '+abort')).toHaveLength(added.filter((what) => what === '-abort').length);
    await Promise.all(connections.map((connection) => connection.close()));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    expect(warnings).toEqual([]);
    expect(counts()).toEqual(before);
  });
});

describe('#3 After the last agent has exited', () => {
  it('nothing of it keeps the process alive', async () => {
    const transport = new CliTransport({ executable: '/bin/cat' });
    const connections = await Promise.all(Array.from({ length: 10 }, () => transport.connect(launch())));
    const [processes, pipes] = [held('ProcessWrap'), held('PipeWrap')];
    await Promise.all(connections.map((connection) => connection.close()));
    expect([held('ProcessWrap'), held('PipeWrap')]).toEqual([processes - 10, pipes - 30]);
  });
});

function held(kind: string): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === kind).length;
}
