import { createSdk } from '@hexagent/sdk';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
beforeEach(() => {
  emitted.mockClear();
  vi.resetModules(); // a process is warned once
});

/** What the helper of a new process returns for the messages of a turn. */
async function deltasOf(partialMessages: boolean): Promise<string> {
  const { textDeltaOf } = await import('../src/text-delta.ts');
  const { transport } = linkedTransport(scriptedAgent({ turns: () => 'One answer.' }));
  const session = await createSdk({ transport }).openSession({ partialMessages });
  let text = '';
  for (let turns = 0; turns < 2; turns += 1)
    for await (const message of session.send('go')) text += textDeltaOf(message);
  await session.close();
  return text;
}

describe('textDeltaOf', () => {
  it('has the process warned once where no partial messages come', async () => {
    expect(await deltasOf(false)).toBe('');
    expect(emitted.mock.calls).toMatchObject([
      [expect.stringContaining('set `partialMessages: true`'), { code: 'HEXAGENT_NO_PARTIAL_MESSAGES' }],
    ]);
  });

  it('does not warn of more sessions at a time than are remembered', async () => {
    const { textDeltaOf } = await import('../src/text-delta.ts');
    const sessions = Array.from({ length: 1500 }, (_, index) => `session ${index}`);
    const piece = (session: string): object => ({
      type: 'stream_event',
      event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x' } },
      session_id: session,
      parent_tool_use_id: null,
    });
    for (const session of sessions) textDeltaOf(piece(session) as never); // the fields that are read
    const message = { model: 'm', content: [{ type: 'text', text: 'x' }] };
    for (const session of sessions.slice(-900))
      textDeltaOf({ type: 'assistant', message, session_id: session, parent_tool_use_id: null } as never);
    expect(emitted).not.toHaveBeenCalled();
  });

  it('is silent where they come', async () => {
    expect(await deltasOf(true)).toBe('One answer.One answer.');
    expect(emitted).not.toHaveBeenCalled();
  });
});
