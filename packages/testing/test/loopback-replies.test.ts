import { describe, expect, it } from 'vitest';
import { apiError, dropped, reply, startLoopback, text, thinking, toolUse } from '@hexagent/testing/loopback';
import { ask, eventsOf, userMessage, textOf } from './loopback-client.ts';

describe('The loopback model', () => {
  it('makes ids of its own, where it has a name', async () => {
    await using loopback = await startLoopback([toolUse('Bash', {})], { name: 'second' });
    const events = JSON.stringify(await eventsOf(await ask(loopback)));
    expect(events).toContain('"id":"msg_second_1"');
    expect(events).toContain('"id":"toolu_second_1"');
  });

  it('streams a text as the events of the Messages API, in their order', async () => {
    await using loopback = await startLoopback(['Hello, person']);
    const response = await ask(loopback);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await eventsOf(response)).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_loopback_1',
          type: 'message',
          role: 'assistant',
          model: 'model-x',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 100, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello, person' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      },
      { type: 'message_stop' },
    ]);
  });

  it('sends one delta for each piece of a text', async () => {
    await using loopback = await startLoopback([text(['one ', 'two ', 'three'])]);
    const events = await eventsOf(await ask(loopback));
    expect(events.filter((event) => event.type === 'content_block_delta')).toHaveLength(3);
    expect(textOf(events)).toBe('one two three');
  });

  it('puts thinking, text and parallel tools into one reply and stops for the tools', async () => {
    await using loopback = await startLoopback([
      [thinking('Hm.'), text('Both.'), toolUse('Bash', { command: 'ls' }), toolUse('Read', { file_path: 'a' }, 'mine')],
    ]);
    const events = await eventsOf(await ask(loopback));
    expect(events.filter((event) => event.type === 'content_block_start').map((event) => event.content_block)).toEqual([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'text', text: '' },
      { type: 'tool_use', id: 'toolu_loopback_1', name: 'Bash', input: {} },
      { type: 'tool_use', id: 'mine', name: 'Read', input: {} },
    ]);
    expect(events.filter((event) => event.type === 'content_block_stop').map((event) => event.index)).toEqual([
      0, 1, 2, 3,
    ]);
    expect(events.filter((event) => event.index === 0).map((event) => event.delta?.['type'])).toContain(
      'signature_delta',
    );
    expect(events.find((event) => event.delta?.['partial_json'])?.delta?.['partial_json']).toBe('{"command":"ls"}');
    expect(events.find((event) => event.type === 'message_delta')?.delta).toMatchObject({ stop_reason: 'tool_use' });
  });

  it('gives a client that does not stream the same reply as one message', async () => {
    await using loopback = await startLoopback([
      [thinking('Hm.'), text(['a', 'b']), toolUse('Bash', { command: 'ls' })],
    ]);
    const response = await ask(loopback, { stream: false });
    expect(await response.json()).toMatchObject({
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'ab' },
        { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
      ],
      stop_reason: 'tool_use',
    });
  });

  it('reports the stop reason, usage and headers that the script asks for', async () => {
    await using loopback = await startLoopback([
      reply('cut sho', {
        stopReason: 'max_tokens',
        usage: { input_tokens: 7, output_tokens: 9 },
        headers: { 'x-mine': 'yes' },
      }),
    ]);
    const response = await ask(loopback);
    expect(response.headers.get('x-mine')).toBe('yes');
    expect((await eventsOf(response)).find((event) => event.type === 'message_delta')).toMatchObject({
      delta: { stop_reason: 'max_tokens' },
      usage: { input_tokens: 7, output_tokens: 9, cache_read_input_tokens: 0 },
    });
  });

  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [529, 'overloaded_error'],
  ])('fails with %i as the API does', async (status, errorType) => {
    await using loopback = await startLoopback([apiError(status, { message: 'On purpose.' })]);
    const response = await ask(loopback);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: errorType, message: 'On purpose.' } });
  });

  it('fails as often as the script has it, with `retry-after`, and then replies', async () => {
    await using loopback = await startLoopback([apiError(429, { retryAfter: 3, times: 2 }), 'At last']);
    const responses = [await ask(loopback), await ask(loopback), await ask(loopback)];
    expect(responses.map((response) => response.status)).toEqual([429, 429, 200]);
    expect(responses[0]?.headers.get('retry-after')).toBe('3');
  });

  it('refuses an entry of a script before anything listens', async () => {
    const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const before = listening();
    // @ts-expect-error -- what a file of a user may have
    await expect(startLoopback([null])).rejects.toThrow(TypeError);
    expect(listening()).toBe(before);
  });

  it('closes the connection before a response when the script has it', async () => {
    await using loopback = await startLoopback([dropped(), 'Again']);
    await expect(ask(loopback)).rejects.toThrow('fetch failed');
    expect(await loopback.requests[0]?.ended).toBe('cut');
    expect(textOf(await eventsOf(await ask(loopback)))).toBe('Again');
  });
});

describe('A script', () => {
  it('may be a function of each request', async () => {
    await using loopback = await startLoopback((request) => `${request.index}: ${request.body.model}`);
    expect(textOf(await eventsOf(await ask(loopback)))).toBe('0: model-x');
    expect(textOf(await eventsOf(await ask(loopback)))).toBe('1: model-x');
  });

  it('that is a function and throws answers with the error', async () => {
    await using loopback = await startLoopback(() => {
      throw new Error('nothing planned');
    });
    const response = await ask(loopback);
    expect(response.status).toBe(402);
    expect(await response.text()).toContain('nothing planned');
  });

  it('that is exhausted answers with an error that has the request', async () => {
    await using loopback = await startLoopback(['only one']);
    await ask(loopback);
    const response = await ask(loopback, { messages: [userMessage('And now?')] });
    expect(response.status).toBe(402);
    expect(await response.text()).toContain(
      'script is exhausted: it has 1 turns, and this is request 2, asking \\"And now?\\"',
    );
  });

  it('can be continued while the test runs, and has the number of unused turns', async () => {
    await using loopback = await startLoopback();
    loopback.add('first', [text('second')]);
    expect(loopback.remaining).toBe(2);
    expect(textOf(await eventsOf(await ask(loopback)))).toBe('first');
    expect(loopback.remaining).toBe(1);
  });
});
