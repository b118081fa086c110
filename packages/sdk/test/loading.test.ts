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
});
