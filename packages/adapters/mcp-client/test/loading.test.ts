import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const fixture = fileURLToPath(new URL('fixtures/loads-nothing.mjs', import.meta.url));

it('No package of others is loaded, neither before an agent speaks nor for speaking', async () => {
  const { stdout } = await run(process.execPath, ['--conditions=@hexagent/source', fixture]);
  expect(JSON.parse(stdout)).toEqual([]);
});
