import { isRecord } from '@hexagent/checks';
import { reply, toolUse, type Asked } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { hostOf } from './hosts.ts';

/** As the service compares it: without the marks that say what to keep, and a text as the one block that it stands for. */
function comparable(value: unknown, key?: string): unknown {
  if (key === 'content' && typeof value === 'string') return [{ type: 'text', text: value }];
  if (Array.isArray(value)) return value.map((each) => comparable(each));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'cache_control');
  return Object.fromEntries(kept.map(([name, each]) => [name, comparable(each, name)]));
}

/** The parts of a request, in the order in which the service caches them. */
function partsOf({ body }: Asked): readonly string[] {
  return [body.model, body.tools, body.system, ...body.messages].map((part) => JSON.stringify(comparable(part)));
}

/** How many bytes of a request the next one repeats, and how many it has. */
function repeated(before: Asked, after: Asked): { readonly same: number; readonly all: number } {
  const [old, now] = [partsOf(before), partsOf(after)];
  const firstChange = old.findIndex((part, index) => part !== now[index]);
  const bytes = (parts: readonly string[]): number => parts.reduce((sum, part) => sum + part.length, 0);
  return { same: bytes(firstChange === -1 ? old : old.slice(0, firstChange)), all: bytes(old) };
}

withCli('The prompt cache of a hosted session', () => {
  it('keeps at least 95 % of each request over 20 turns, with the agent parked and resumed in between', async () => {
    await using place = await stage((request) =>
      JSON.stringify(request.body.messages.at(-1)).includes('look')
        ? reply([toolUse('Bash', { command: 'echo found' })])
        : 'answered',
    );
    await using host = hostOf(place, { session: { permissions: { allow: ['Bash'] } }, idleMs: 1 });
    await host.create('chat');
    for (let turn = 0; turn < 20; turn += 1) {
      const sent = await host.send('chat', turn % 4 === 0 ? 'Please look.' : `Question ${turn}`);
      expect(await sent.done).toMatchObject({ outcome: { kind: 'completed' } });
      await expect.poll(async () => (await host.get('chat'))?.state, { timeout: 20_000 }).toBe('parked');
    }
    const { requests } = place.loopback;
    expect(requests.length).toBeGreaterThanOrEqual(25);
    const shares = requests.slice(1).map((request, index) => {
      const { same, all } = repeated(requests[index]!, request);
      return same / all;
    });
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.95);
  });
});
