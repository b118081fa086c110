import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

async function output(name: string): Promise<string> {
  const args = ['--conditions=@hexagent/source', fixture(name), fixture('notes-server.mjs')];
  const { stdout } = await run(process.execPath, args);
  return stdout.trim();
}

it('No package of others is loaded for a server that is started, neither before the first message of an agent nor for it', async () => {
  expect(JSON.parse(await output('loads-nothing.mjs'))).toEqual({ foreign: [], answered: true });
});

it('The MCP SDK that a url needs and that is not installed is named to the agent, with what to do', async () => {
  expect(await output('no-mcp-sdk.mjs')).toBe(
    'The MCP server notes could not be reached: It has a url, which needs the package @modelcontextprotocol/sdk, and that is not installed. Install `@modelcontextprotocol/sdk`. Tools of your own need it only where the program reads `instance`, servers of `external()` only where they have a `url`.',
  );
});
