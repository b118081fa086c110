import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('attack/attack.ts', import.meta.url));

/** A short run of `pnpm attack`, with the same seeds each time. */
async function attack(...options: string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  const args = ['--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program, ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, output };
}

describe('The attack', { timeout: 240_000 }, () => {
  it('finds nothing in a few runs of each part', async () => {
    const counts = ['--seeds', '60', '--real', '6', '--options', '200', '--deaths', '5', '--hosted', '2'];
    const { code, output } = await attack('--only', 'seeds,real,options,deaths,hosted', ...counts);
    expect(output).toMatch(/\b0 with violations\.\n$/);
    expect(code).toBe(0);
    // A harness in which nothing happens would find nothing either.
    expect(Number(/(\d+) messages/.exec(output)?.[1])).toBeGreaterThan(2000);
    expect(Number(/(\d+) hosted messages/.exec(output)?.[1])).toBeGreaterThan(500);
    expect(Number(/(\d+) answers/.exec(output)?.[1])).toBeGreaterThan(50);
    expect(Number(/(\d+) permission decisions/.exec(output)?.[1])).toBeGreaterThan(15);
  });

  it('finds nothing in chats whose pages come and go', async () => {
    const { code, output } = await attack('--only', 'chats', '--chats', '1', '--chats-each', '20');
    expect(output).toMatch(/\b0 with violations\.\n$/);
    expect(code).toBe(0);
    expect(Number(/(\d+) messages of chats/.exec(output)?.[1])).toBeGreaterThan(60);
    expect(Number(/(\d+) of them complete/.exec(output)?.[1])).toBeGreaterThan(40);
    expect(Number(/(\d+) answers that came second/.exec(output)?.[1])).toBeGreaterThan(0);
    expect(Number(/(\d+) agents of chats killed/.exec(output)?.[1])).toBeGreaterThan(0);
  });

  it('finds nothing in chats whose server is killed', async () => {
    const { code, output } = await attack('--only', 'servers', '--servers', '1', '--servers-each', '4');
    expect(output).toMatch(/\b0 with violations\.\n$/);
    expect(code).toBe(0);
    expect(Number(/(\d+) messages of servers/.exec(output)?.[1])).toBeGreaterThan(15);
    expect(Number(/(\d+) of servers complete/.exec(output)?.[1])).toBeGreaterThan(8);
    expect(Number(/(\d+) servers killed/.exec(output)?.[1])).toBeGreaterThan(0);
    expect(Number(/(\d+) agents of servers killed/.exec(output)?.[1])).toBeGreaterThan(0);
  });

  it('refuses unknown arguments', async () => {
    expect(await attack('--only', 'nothing')).toEqual({ code: 1, output: expect.stringContaining('no part nothing') });
    expect(await attack('--seeds', 'many')).toEqual({ code: 1, output: expect.stringContaining('--seeds must be') });
  });
});
