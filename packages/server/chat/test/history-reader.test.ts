import type { ReadStoredMessages, StoredMessage } from '@hexagent/ports';
import { toUiMessages } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import { HistoryReader, type StoredPlace } from '../src/history-reader.ts';

const fields = { session_id: 's', parent_tool_use_id: null, parent_agent_id: null } as const;

const asked = (id: string): StoredMessage => ({
  ...fields,
  type: 'user',
  uuid: id,
  message: { role: 'user', content: `asks ${id}` },
});

const answered = (id: string, ...content: readonly object[]): StoredMessage => ({
  ...fields,
  type: 'assistant',
  uuid: id,
  message: { id: `message ${id}`, role: 'assistant', content },
});

const text = (words: string): object => ({ type: 'text', text: words });

/** Two stored messages, or five with a tool, for each turn. */
function turn(id: string): readonly StoredMessage[] {
  if (Number(id) % 2 === 0) return [asked(id), answered(`${id}a`, text(`answers ${id}`))];
  const call = { type: 'tool_use', id: `call ${id}`, name: 'Bash', input: { command: 'ls' } };
  const result = [{ type: 'tool_result', tool_use_id: `call ${id}`, content: 'done' }];
  return [
    asked(id),
    answered(`${id}a`, text('first')),
    answered(`${id}b`, call),
    { ...asked(`${id}c`), message: { role: 'user', content: result } },
    answered(`${id}d`, text(`answers ${id}`)),
  ];
}

/** A transcript that a test writes, and how many messages of it were read. */
class Transcript {
  stored: StoredMessage[] = [];
  read = 0;
  readonly place: StoredPlace = {
    dir: '/work',
    sessionId: 's',
    sessions: {
      messages: (_, options) => this.#messages(options ?? {}),
      subagents: async () => [],
      subagentMessages: () => this.#messages({ offset: Infinity }),
    },
  };

  async *#messages({ offset = 0, limit = Infinity }: ReadStoredMessages): AsyncGenerator<StoredMessage> {
    if (limit < 1) throw new TypeError('`limit` must be at least 1.');
    for (const message of this.stored.slice(offset, offset + limit)) {
      this.read += 1;
      yield message;
    }
  }

  add(...ids: readonly string[]): void {
    this.stored.push(...ids.flatMap((id) => turn(id)));
  }
}

const transcript = (turns: number): Transcript => {
  const made = new Transcript();
  made.add(...Array.from({ length: turns }, (_, at) => String(at)));
  return made;
};

/** What the whole of a transcript has from `begin` to `end`. */
const expected = ({ stored }: Transcript, begin: number, end?: number): object => ({
  messages: toUiMessages(stored).slice(begin, end),
  hasEarlier: true,
});

describe('A stretch of a history', () => {
  it('is the same for each limit and each beginning, whether all was read before or not', async () => {
    const of = transcript(9);
    const whole = toUiMessages(of.stored);
    const known = new HistoryReader({ subagents: undefined });
    await known.read(of.place, { limit: 1 });
    for (const limit of [1, 2, 3, 5, 17, 18, 19, 100])
      for (const [at, before] of [...whole.map(({ id }, index) => [index, id] as const), [18, undefined] as const]) {
        const fresh = new HistoryReader({ subagents: undefined });
        const begin = Math.max(0, at - limit);
        const wanted = { messages: whole.slice(begin, at), hasEarlier: begin > 0 };
        for (const reader of [fresh, known])
          expect(await reader.read(of.place, { limit, before }), `${limit} before ${before}`).toMatchObject(wanted);
      }
  });

  it('is read without what comes before it and after it, once the whole was read', async () => {
    const of = transcript(1000);
    const reader = new HistoryReader({ subagents: undefined });
    await reader.read(of.place, { limit: 10 });
    expect(of.read).toBe(3500);
    of.read = 0;
    expect(await reader.read(of.place, { limit: 10 })).toMatchObject(expected(of, -10));
    const { messages } = await reader.read(of.place, { limit: 10, before: '500' });
    expect([messages[0]?.id, messages.at(-1)?.id]).toEqual(['495', 'answer-499']);
    expect(of.read).toBeLessThan(60);
  });

  it('has what was added since, and only that is read with it', async () => {
    const of = transcript(100);
    const reader = new HistoryReader({ subagents: undefined });
    await reader.read(of.place, { limit: 4 });
    for (const id of ['100', '101', '102']) {
      of.add(id);
      of.read = 0;
      expect(await reader.read(of.place, { limit: 4 })).toMatchObject(expected(of, -4));
      expect(of.read).toBeLessThan(20);
    }
    // An answer that was not complete.
    of.stored.push(answered('102z', text('and more')));
    const { messages, has } = await reader.read(of.place, { limit: 2 });
    expect(messages).toEqual(toUiMessages(of.stored).slice(-2));
    expect([has('102'), has('5'), has('none')]).toEqual([true, true, false]);
  });

  it('is read anew where the transcript was replaced', async () => {
    const of = transcript(100);
    const reader = new HistoryReader({ subagents: undefined });
    await reader.read(of.place, { limit: 4 });
    // A compaction leaves the last turns, behind a summary.
    of.stored = [{ ...asked('summary'), isCompactSummary: true }, ...of.stored.slice(-7)];
    for (const limit of [1, 3, 4]) expect(await reader.read(of.place, { limit })).toMatchObject(expected(of, -limit));
    of.stored = [];
    expect(await reader.read(of.place, { limit: 4 })).toMatchObject({ messages: [], hasEarlier: false });
    of.add('7');
    expect((await reader.read(of.place, { limit: 4 })).messages.map(({ id }) => id)).toEqual(['7', 'answer-7']);
  });

  it('is empty before a message that is not there', async () => {
    const of = transcript(3);
    const reader = new HistoryReader({ subagents: undefined });
    for (let time = 0; time < 2; time += 1)
      expect(await reader.read(of.place, { limit: 4, before: 'none' })).toMatchObject({
        messages: [],
        hasEarlier: false,
      });
  });
});
