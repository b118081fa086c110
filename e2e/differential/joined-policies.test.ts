import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Runs a command where /etc is empty, and what is written there is visible to no other process. */
function withOwnEtc(...command: readonly string[]): { readonly status: number | null; readonly output: string } {
  const names = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  const script = 'mount -t tmpfs tmpfs /etc && exec "$@"';
  const { status, stdout, stderr } = spawnSync('unshare', [...names, 'sh', '-c', script, 'sh', ...command], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: '/etc', CLAUDE_CONFIG_DIR: '/etc/no-such-folder' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, output: `${stdout}${stderr}` };
}

const hasOwnEtc = withOwnEtc('true').status === 0;

describe.skipIf(!hasOwnEtc)('A policy of the server and one of the machine', () => {
  it.each([1, 2, 3])(
    'are joined as in the official package, in random pairs (seed %i)',
    { timeout: 120_000 },
    (seed) => {
      const fixture = fileURLToPath(new URL('./fixtures/joined-policies.ts', import.meta.url));
      const node = [process.execPath, '--no-warnings', '--conditions=@hexagent/source'];
      const { output } = withOwnEtc(...node, fixture, String(seed));
      const { count, differing } = JSON.parse(output) as { count: number; differing: unknown[] }; // what the fixture prints
      expect(differing).toEqual([]);
      expect(count).toBe(600);
    },
  );
});
