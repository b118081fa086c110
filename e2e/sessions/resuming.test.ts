import { ask, openSession } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

withCli('A resumed session', () => {
  it('cancels a message with a uuid that it has answered before', async () => {
    await using place = await stage(['a', 'b']);
    const message = { content: 'once', uuid: crypto.randomUUID() };
    const first = await ask(message, place.options).result;
    if (first.kind !== 'completed') throw new Error(first.kind);
    await using session = await openSession({ ...place.options, resume: first.result.session_id });
    expect(await session.send(message).result).toEqual({ kind: 'cancelled', why: 'repeated' });
    expect(place.loopback.requests).toHaveLength(1);
  });
});

withCli('#6 A session that cannot be resumed', () => {
  it('gives the reason to ready, and to send() after its exit', async () => {
    await using place = await stage();
    const session = await openSession({ ...place.options, resume: crypto.randomUUID() });
    await expect(session.ready).rejects.toThrow(/before it was ready.*No conversation found/s);
    await session.exited;
    expect(() => session.send('hi')).toThrow(
      expect.objectContaining({
        code: 'CONVERSATION_CLOSED',
        message: expect.stringContaining('No conversation found'),
        cause: expect.objectContaining({ code: 'AGENT_EXITED', exitCode: 1 }),
      }),
    );
    await session.close();
  });

  it('gives the reason to a turn that was sent before', async () => {
    await using place = await stage();
    const session = await openSession({ ...place.options, resume: crypto.randomUUID() });
    const remedy = expect.stringContaining('The session to resume does not exist');
    expect(await session.send('hi').result).toMatchObject({ kind: 'failed', hint: { kind: 'not_found', remedy } });
    await session.close();
  });
});
