import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const fixture = fileURLToPath(new URL('fixtures/loads-nothing.mjs', import.meta.url));

it('A server that no agent has spoken to yet does not load the MCP SDK', async () => {
  const { stdout } = await run(process.execPath, ['--conditions=@hexagent/source', fixture]);
  expect(JSON.parse(stdout)).toEqual([]);
});
