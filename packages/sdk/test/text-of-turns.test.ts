import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ask, createSdk, TurnError, type Session, type SessionOptions, type Turn } from '@hexagent/sdk';
import { gate, linkedTransport, reply, scriptedAgent, type AgentScript, type LinkedAgent } from '@hexagent/testing';

type TurnScripts = Exclude<AgentScript['turns'], undefined>;

async function open(
  turns: TurnScripts,
  options: SessionOptions = {},
): Promise<{ readonly session: Session; readonly agent: LinkedAgent }> {
  const { transport, agent } = linkedTransport(scriptedAgent({ turns }));
  return { session: await createSdk({ transport }).openSession(options), agent };
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

const pieces = { partialMessages: true } as const;
const withTool = ['Let me see.', reply.tool('Read', { file_path: '/a' }), 'It is 42.'];
/** An answer that breaks off in the middle of its text. */
const brokenOff = reply.frames(
  event({ type: 'message_start', message: { id: 'm0' } }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'It is fo' } }),
  { ...event({ type: 'message_stop' }), abandoned_blocks: { api_message_id: 'm0', from_block_index: 0 } },
);

function event(of: object): object {
  return { type: 'stream_event', parent_tool_use_id: null, event: of };
}

describe('The text of a turn', () => {
  it('is that of its result', async () => {
    const { session } = await open([withTool]);
    const turn = session.send('go');
    expect(await turn.text()).toBe('It is 42.');
    expect(await turn.text()).toBe('It is 42.');
    await session.close();
  });

  it.each([
    ['failed', reply.apiError(529, 'overloaded'), /overloaded/],
    ['failed', reply.result({ subtype: 'error_max_turns', is_error: true, errors: ['too many'] }), /too many/],
    [
      'interrupted',
      reply.result({ subtype: 'success', terminal_reason: 'aborted_streaming', result: '' }),
      /interrupted/,
    ],
  ])('is an error with the outcome of one that was %s', async (kind, step, message) => {
    const { session } = await open([['Part of it.', step]]);
    const turn = session.send('go');
    const error: unknown = await turn.text().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TurnError);
    expect(error).toMatchObject({ code: 'RESULT_ERROR', message: expect.stringMatching(message), outcome: { kind } });
    expect(error).toMatchObject({ outcome: await turn.result });
    await session.close();
  });

  it('is an error that says what to do, and is printed without the whole outcome', async () => {
    const { session } = await open([[reply.apiError(529, 'overloaded')]]);
    const turn = session.send('go');
    const error: unknown = await turn.text().catch((thrown: unknown) => thrown);
    const { hint } = Object(await turn.result);
    expect(error).toMatchObject({ remedy: hint.remedy });
    expect(inspect(error)).toContain(hint.remedy);
    expect(inspect(error)).not.toContain('outcome:');
    await session.close();
  });

  it('is an error for a message that was withdrawn', async () => {
    const held = gate();
    const { session } = await open([[reply.hold(held), 'one'], 'two']);
    const [first, second] = [session.send('one'), session.send('two')];
    await second.received;
    expect(await second.interrupt()).toBe('cancelled');
    await expect(second.text()).rejects.toMatchObject({ name: 'TurnError', outcome: { kind: 'cancelled' } });
    held.open();
    expect(await first.text()).toBe('one');
    await session.close();
  });

  it('rejects as the result does when the agent leaves, and may be ignored', async () => {
    const { session } = await open([[reply.exit({ code: 3 })]]);
    const turn = session.send('go');
    void turn.text();
    await expect(turn.result).rejects.toMatchObject({ code: 'AGENT_EXITED' });
    await expect(turn.text()).rejects.toMatchObject({ code: 'AGENT_EXITED' });
    await session.close();
  });
});

describe('The text of a turn as a stream', () => {
  it.each([{}, pieces])('comes in the pieces of the model (%j)', async (options) => {
    const { session } = await open([[reply.text(['It ', 'is ', '42.'])]], options);
    expect(await collect(session.send('go').textStream())).toEqual(['It ', 'is ', '42.']);
    await session.close();
  });

  it('leaves the messages of another turn whole', async () => {
    const answer = [reply.text(['It ', 'is ', '42.'])];
    const { session } = await open([answer, answer]);
    await collect(session.send('go').textStream());
    const types = (await collect(session.send('go'))).map(({ type }) => type);
    expect(types).toContain('assistant');
    expect(types).not.toContain('stream_event');
    await session.close();
  });

  it('comes in pieces in messages too where the flag of the CLI is given by its name', async () => {
    const options = { extraArgs: { 'include-partial-messages': null } };
    const { session } = await open([[reply.text(['It ', 'is ', '42.'])]], options);
    expect((await collect(session.send('go'))).map(({ type }) => type)).toContain('stream_event');
    await session.close();
  });

  it.each([true, false])(
    'separates what is written before a tool call (partialMessages: %s)',
    async (partialMessages) => {
      const { session } = await open([withTool], { partialMessages });
      expect((await collect(session.send('go').textStream())).join('')).toBe('Let me see.\n\nIt is 42.');
      await session.close();
    },
  );

  it('ends with the text of the result, where no answer has it', async () => {
    const { session } = await open([['plain', reply.result({ subtype: 'success', result: '{"a":1}' })]], pieces);
    expect(await collect(session.send('go').textStream())).toEqual(['plain', '\n\n{"a":1}']);
    await session.close();
  });

  it('throws at the end of a turn that did not complete', async () => {
    const { session } = await open([[reply.text(['Part ', 'of it.']), reply.apiError(529, 'overloaded')]], pieces);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const piece of session.send('go').textStream()) seen.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'RESULT_ERROR', outcome: { kind: 'failed' } });
    expect(seen.join('')).toMatch(/^Part of it\./);
    await session.close();
  });

  it('throws when text that was read is taken back; the turn continues, and `text()` has what counts', async () => {
    const { session } = await open([[brokenOff, 'It is 42.'], 'next'], { ...pieces, softMarkBytes: 2000 });
    const turn = session.send('go');
    const seen: string[] = [];
    const reading = (async () => {
      for await (const piece of turn.textStream()) seen.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'TEXT_TAKEN_BACK' });
    expect(seen).toEqual(['It is fo']);
    expect(await turn.text()).toBe('It is 42.');
    expect(await session.send('go').text()).toBe('next');
    await session.close();
  });
});

describe('A turn', () => {
  const readers: readonly (readonly [string, (turn: Turn) => AsyncIterable<unknown>])[] = [
    ['its messages', (turn) => turn],
    ['its text', (turn) => turn.textStream()],
    ['its snapshots', (turn) => turn.snapshots()],
  ];
  it.each(readers.flatMap(([one, first]) => readers.map(([other, second]) => [one, other, first, second] as const)))(
    'of which %s are read cannot be read again as %s',
    async (_, __, first, second) => {
      const { session } = await open(['hello']);
      const turn = session.send('go');
      expect((await collect(first(turn))).length).toBeGreaterThan(0);
      await expect(collect(second(turn))).rejects.toMatchObject({ code: 'TURN_READ' });
      expect(await turn.text()).toBe('hello');
      await session.close();
    },
  );

  it.each(readers)('is left by a reader of %s without holding the agent up', async (_, read) => {
    const text = 'x'.repeat(3000);
    const { session } = await open(() => ['first', reply.tool('Read'), text, reply.tool('Read'), text], {
      ...pieces,
      softMarkBytes: 1000,
    });
    const turn = session.send('go');
    for await (const _ of read(turn)) break;
    expect(await turn.text()).toBe(text);
    await session.close();
  });

  it('that the agent began has the same ways to be read', async () => {
    const until = gate();
    const { session } = await open([[reply.subagent('look', { until, report: 'the report' }), 'started']]);
    expect(await session.send('go').text()).toBe('started');
    until.open();
    for await (const turn of session.turns) {
      expect((await collect(turn.textStream())).join('')).toBe('the report');
      break;
    }
    await session.close();
  });
});

describe('The answer of ask()', () => {
  const asking = (turns: TurnScripts, options: SessionOptions = {}) => {
    const { transport, agent } = linkedTransport(scriptedAgent({ turns }));
    return { answer: ask('go', { ...options, transport }), agent };
  };

  it('has its text', async () => {
    expect(await asking([withTool]).answer.text()).toBe('It is 42.');
    await expect(asking([[reply.apiError(529, 'overloaded')]]).answer.text()).rejects.toBeInstanceOf(TurnError);
  });

  it('has its text in pieces without an option', async () => {
    const { answer } = asking([[reply.text(['It ', 'is ', '42.'])]]);
    expect(await collect(answer.textStream())).toEqual(['It ', 'is ', '42.']);
    expect(await answer.text()).toBe('It is 42.');
  });

  it('has no pieces where the option is off, or nothing wants them at once', async () => {
    const off = asking([[reply.text(['It ', 'is ', '42.'])]], { partialMessages: false }).answer;
    expect(await collect(off.textStream())).toEqual(['It is 42.']);
    const late = asking([[reply.text(['It ', 'is ', '42.'])]]).answer;
    await Promise.resolve();
    expect(await collect(late.textStream())).toEqual(['It is 42.']);
    expect((await collect(asking(['42']).answer)).map(({ type }) => type)).not.toContain('stream_event');
  });

  it('has the text of its own turn alone, and ends when background tasks have ended', async () => {
    const until = gate();
    const { answer } = asking([[reply.subagent('look', { until, report: 'the report' }), 'started']]);
    const pieces: string[] = [];
    for await (const piece of answer.textStream()) {
      pieces.push(piece);
      setImmediate(until.open); // once the turn has ended
    }
    expect(pieces).toEqual(['started']);
  });

  it('is finished although text that was read is taken back', async () => {
    const { answer } = asking([[brokenOff, 'It is 42.']], { softMarkBytes: 500 });
    await expect(collect(answer.textStream())).rejects.toMatchObject({ code: 'TEXT_TAKEN_BACK' });
    expect(await answer.text()).toBe('It is 42.');
  });

  it.each(['textStream', 'snapshots'] as const)('ends the agent when %s is left', async (reader) => {
    const { answer } = asking([['first', reply.tool('Read'), reply.hold(gate()), 'second']]);
    for await (const _ of answer[reader]()) break;
    await expect(answer.text()).rejects.toMatchObject({
      code: expect.stringMatching(/CONVERSATION_CLOSED|RESULT_ERROR/),
    });
  });

  it('is read in one way', async () => {
    const { answer } = asking(['42']);
    expect(await collect(answer.textStream())).toEqual(['42']);
    await expect(collect(answer.snapshots())).rejects.toMatchObject({ code: 'TURN_READ' });
    expect(() => answer[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: 'TURN_READ' }));
  });
});
