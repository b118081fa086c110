import { createSdk, openSession, type AgentMessage, type SessionOptions } from '@hexagent/sdk';
import { deltas, lastUserText, toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

withCli('#40 A permission asked behind unread messages', () => {
  const flood = async (
    megabytes: number,
    change: SessionOptions,
  ): Promise<{ place: Stage; asked: Promise<void>; options: SessionOptions }> => {
    const place = await stage((request) => {
      if (toolResults(request).length > 0) return 'done';
      // A piece of 1 KB becomes one stream event of about as much.
      return lastUserText(request) === 'flood'
        ? [deltas(megabytes * 1024, 'y'.repeat(1024)), toolUse('Bash', { command: 'touch made' })]
        : 'no';
    });
    const asked = Promise.withResolvers<void>();
    const onAsk = () => (asked.resolve(), { behavior: 'allow' } as const);
    return {
      place,
      asked: asked.promise,
      options: { ...place.options, partialMessages: true, onAsk, ...change },
    };
  };

  it('is answered, although the megabyte before it is unread and above the soft mark', async () => {
    const { place, asked, options } = await flood(1, { softMarkBytes: 64 * 1024 });
    await using _ = place;
    await using session = await openSession(options);
    const turn = session.send('flood');
    await asked;
    const seen: AgentMessage[] = [];
    for await (const message of turn) seen.push(message);
    expect(seen.filter(({ type }) => type === 'stream_event').length).toBeGreaterThan(1024);
  });

  it('waits behind more than the hard mark; memory stays bounded and nothing is lost', async () => {
    const events: { kind: string; unreadBytes?: number }[] = [];
    const { place, asked, options } = await flood(8, { softMarkBytes: 512 * 1024, hardMarkBytes: 1024 * 1024 });
    await using _ = place;
    const stalled = Promise.withResolvers<void>();
    const sdk = createSdk({
      observer: {
        observe: (event) => {
          if (event.kind !== 'stalled') return;
          events.push(event);
          stalled.resolve();
        },
      },
    });
    await using session = await sdk.openSession(options);
    const turn = session.send('flood');
    await stalled.promise;
    let answered = false;
    void asked.then(() => (answered = true));
    let bytes = 0;
    let early = false;
    for await (const message of turn) {
      if (
        message.type === 'stream_event' &&
        message.event.type === 'content_block_delta' &&
        message.event.delta.type === 'text_delta'
      )
        bytes += message.event.delta.text.length;
      early ||= answered && bytes < 1024 * 1024;
    }
    await asked;
    expect(early).toBe(false);
    expect(bytes).toBe(8 * 1024 * 1024 + 'done'.length);
    // Reading stops with the line that passes the mark. The whole block comes again in one line of its own size.
    expect(events[0]?.unreadBytes).toBeLessThan(1024 * 1024 + 256 * 1024);
    expect(Math.max(...events.map(({ unreadBytes = 0 }) => unreadBytes))).toBeLessThan(10 * 1024 * 1024);
  });
});
