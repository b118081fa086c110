import type { StoredMessage, TranscriptEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { assistant, attachment, call, result, userEntry, summary, user } from './entries.ts';
import { placeWith } from './sessions.ts';

async function messagesOf(...entries: readonly TranscriptEntry[]): Promise<StoredMessage[]> {
  return await Array.fromAsync(placeWith({ a: entries }).sessions.messages('a'));
}

describe('A stored message', () => {
  it('has the content, its author and its time', async () => {
    const entry = user('u', null, {
      origin: { kind: 'task' },
      isVisibleInTranscriptOnly: true,
      permissionMode: 'plan',
    });
    expect(await messagesOf(entry)).toEqual([
      {
        type: 'user',
        uuid: 'u',
        session_id: 'a-session',
        message: entry['message'],
        parent_tool_use_id: null,
        parent_agent_id: null,
        is_meta: true,
        timestamp: entry['timestamp'],
        origin: { kind: 'task' },
      },
    ]);
  });

  it('is of the session that is read when it names none', async () => {
    expect(await messagesOf(user('u', null, { sessionId: undefined }))).toMatchObject([{ session_id: 'a' }]);
  });

  it('is marked as a summary', async () => {
    expect(await messagesOf(summary('s', 'gone'))).toMatchObject([{ isCompactSummary: true, is_meta: true }]);
  });

  it('is marked when it came while the agent worked', async () => {
    const attached = { type: 'queued_command', prompt: 'also', origin: { kind: 'x' } };
    expect((await messagesOf(user('u', null), attachment('q', 'u', attached)))[1]).toMatchObject({
      type: 'user',
      uuid: 'q',
      message: { role: 'user', content: 'also' },
      isQueuedCommand: true,
      origin: { kind: 'x' },
    });
  });

  it('has the result of a tool in its own structure only where that is asked for', async () => {
    const place = placeWith({
      a: [user('u', null), call('c', 'u', 'm'), result('r', 'c', { toolUseResult: { n: 1 } })],
    });
    const resultsOf = async (options?: { includeToolUseResults: boolean }) =>
      (await Array.fromAsync(place.sessions.messages('a', options))).map((message) => message.tool_use_result);
    expect(await resultsOf()).toEqual([undefined, undefined, undefined]);
    expect(await resultsOf({ includeToolUseResults: false })).toEqual([undefined, undefined, undefined]);
    expect(await resultsOf({ includeToolUseResults: true })).toEqual([undefined, undefined, { n: 1 }]);
  });

  it('has the reason why a tool did not run, if the reason is of one tool and supported', async () => {
    const denied = (kind: unknown, fields = {}) => result('r', 'c', { toolDenialKind: kind, ...fields });
    const metaOf = async (entry: TranscriptEntry) =>
      (await messagesOf(user('u', null), call('c', 'u', 'm'), entry)).at(-1)?.tool_result_meta;
    expect(await metaOf(denied('cancelled'))).toEqual([{ id: 'use-c', non_execution_kind: 'cancelled' }]);
    for (const kind of ['weird', '', 7]) expect(await metaOf(denied(kind))).toBeUndefined();
    const both = [1, 2].map((n) => ({ type: 'tool_result', tool_use_id: String(n) }));
    expect(await metaOf(denied('cancelled', { message: { content: both } }))).toBeUndefined();
  });
});

describe('A command that ran without the model', () => {
  const caveat = userEntry('c', null, '<local-command-caveat>…', { isMeta: true });
  const command = userEntry('n', 'c', '<command-name>/clear</command-name>');
  const output = userEntry('o', 'n', [{ type: 'text', text: '<local-command-stdout>done' }]);
  const localIn = async (...entries: readonly TranscriptEntry[]) =>
    (await messagesOf(...entries)).filter((message) => message.isCompletedLocalCommand).map(({ uuid }) => uuid);

  it('is recognised behind its caveat, with its output', async () => {
    expect(await localIn(caveat, command, output, user('u', 'o'))).toEqual(['n', 'o']);
  });

  it('is recognised on a page that begins behind its caveat', async () => {
    const { sessions } = placeWith({ a: [caveat, command, output, assistant('a', 'o')] });
    const page = await Array.fromAsync(sessions.messages('a', { offset: 1, limit: 1 }));
    expect(page).toMatchObject([{ uuid: 'o', isCompletedLocalCommand: true }]);
  });

  it('is not recognised without one, behind an answer, or behind another message', async () => {
    expect(await localIn(userEntry('n', null, '<command-name>/x'), output)).toEqual([]);
    expect(await localIn(caveat, assistant('a', 'c'), { ...command, parentUuid: 'a' })).toEqual([]);
    expect(await localIn(caveat, user('u', 'c'), { ...command, parentUuid: 'u' })).toEqual([]);
    expect(await localIn(caveat, { ...output, parentUuid: 'c' })).toEqual([]);
  });
});
