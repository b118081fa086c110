import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('fixtures/chat-readers.ts', import.meta.url));

describe('A thousand pages that read one turn of megabytes', () => {
  it('hold kilobytes each while they do not read, and next to nothing once they have gone', async () => {
    const args = ['--expose-gc', '--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } });
    const { slow, gone } = JSON.parse(stdout) as { readonly slow: number; readonly gone: number }; // in kilobytes
    expect(slow).toBeLessThan(64);
    expect(gone).toBeLessThan(16);
  });
});
