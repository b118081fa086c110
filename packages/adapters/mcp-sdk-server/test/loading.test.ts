import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const fixture = fileURLToPath(new URL('fixtures/loads-nothing.mjs', import.meta.url));

it('Serving tools loads neither the MCP SDK nor zod', async () => {
  const { stdout } = await run(process.execPath, ['--conditions=@hexagent/source', fixture]);
  expect(JSON.parse(stdout)).toEqual({
    foreign: [],
    reply: { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: '{"a":1}' }] } },
  });
});
