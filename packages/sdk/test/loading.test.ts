import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';

describe('Loading and using the SDK', () => {
  it('leaves the global Reflect of the program as it was', async () => {
    const before = Reflect.ownKeys(Reflect);
    const { openSession } = await import('@hexagent/sdk');
    const { query } = await import('@hexagent/sdk/claude-agent-sdk');
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const session = await openSession({ transport });
    await session.send('hi').result;
    await session.close();
    for await (const _ of query({ prompt: 'hi', options: { transport } }));
    expect(Reflect.ownKeys(Reflect)).toEqual(before);
  });

  it('loads neither the MCP SDK nor zod for tools of the program', async () => {
    const fixture = fileURLToPath(new URL('fixtures/instance-unread.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hexagent/source', fixture]);
    expect(JSON.parse(stdout)).toEqual([]);
  });
});
