import { apiError, deltas, gate, lastUserText, reply, systemText, text, thinking } from '@hexagent/testing/loopback';
import { asking, Conversation, conversing, user, type Scenario } from './scenario.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Prompts and answers. */
export const talking: Readonly<Record<string, Scenario>> = {
  'one prompt and its answer': {
    program: asking('hello'),
    model: () => ['hello back'],
    shows: ['hello back', '"subtype":"success"'],
  },
  'an answer in pieces': {
    program: asking('hello', { includePartialMessages: true }),
    model: () => [text(['one ', 'two ', 'three'])],
    shows: ['stream_event', 'text_delta', 'one two three'],
  },
  'an answer of two thousand pieces': {
    program: asking('hello', { includePartialMessages: true }),
    model: () => [deltas(2000)],
    shows: ['x'.repeat(2000)],
  },
  'an answer with thoughts': {
    program: asking('hello', { thinking: { type: 'enabled', budgetTokens: 2000 } }),
    model: () => [[thinking('I wonder.'), text('Done.')]],
    shows: ['I wonder.', 'Done.'],
  },
  'an answer that was cut off by its length': {
    program: asking('hello'),
    model: () => (request) => (request.index === 0 ? reply('half', { stopReason: 'max_tokens' }) : 'the rest'),
    shows: ['half'],
  },
  'an answer that is refused by the model': {
    program: asking('hello'),
    model: () => () => reply('I will not.', { stopReason: 'refusal' }),
    shows: ['refusal'],
  },
  'an error of the API that lasts': {
    program: asking('hello'),
    model: () => () => apiError(402, { message: 'Pay first.' }),
    shows: ['Pay first.', '"is_error":true'],
  },
  'an error of the API that passes': {
    program: asking('hello'),
    model: () => [apiError(529, { retryAfter: 0 }), 'hello back'],
    shows: ['hello back', 'api_retry'],
  },
  'three messages after each other': {
    program: conversing(['one', 'two', 'three']),
    model: () => (request) => `heard ${lastUserText(request)}`,
    shows: ['heard one', 'heard two', 'heard three'],
  },
  'a message of several blocks': {
    program: conversing([
      [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
      ],
    ]),
    model: () => (request) => `saw ${JSON.stringify(request.body.messages).includes(pixel) ? 'a picture' : 'nothing'}`,
    shows: ['saw a picture'],
  },
  'a system prompt of its own': {
    program: asking('hello', { systemPrompt: 'You are a parrot.' }),
    model: () => (request) => (systemText(request).endsWith('You are a parrot.') ? 'parrot' : systemText(request)),
    shows: ['parrot'],
  },
  'no system prompt': {
    program: asking('hello'),
    model: () => (request) => `${systemText(request).length < 500 ? 'short' : 'long'} prompt`,
    shows: ['short prompt'],
  },
  'the usual system prompt with something added': {
    program: asking('hello', { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' } }),
    model: () => (request) =>
      systemText(request).includes('Be brief.') ? `${systemText(request).length > 2000 ? 'long' : 'short'} prompt` : '',
    shows: ['long prompt'],
  },
  'a model by its name, and another one later': {
    program: conversing(['one', 'two'], { model: 'claude-haiku-4-5' }, (query, _, index) =>
      index === 0 ? query.setModel('claude-sonnet-4-5') : undefined,
    ),
    model: () => (request) => `I am ${request.body.model}`,
    shows: ['I am claude-haiku-4-5', 'I am claude-sonnet-4-5'],
  },
  'a command that the CLI answers by itself': {
    program: conversing(['hello', '/context']),
    model: () => () => 'hello back',
    shows: ['Context Usage'],
  },
  'a command that does not exist': {
    program: asking('/nothing-like-this'),
    model: () => () => 'hello back',
    shows: ['hello back'],
  },
  'a conversation that is compacted': {
    program: conversing(['one', '/compact', 'two']),
    model: () => (request) =>
      lastUserText(request).includes('summary') ? '<summary>They counted.</summary>' : `heard ${request.index}`,
    shows: ['compact_boundary', 'heard 0'],
  },
  'an answer that is interrupted': {
    program: async (sdk, { options, note }) => {
      const query = sdk.query({
        prompt: new Conversation('go'), // stays open, so that an interrupt can be sent
        options: { ...options, includePartialMessages: true },
      });
      const seen: unknown[] = [];
      let isInterrupted = false;
      try {
        for await (const message of query) {
          if (message.type === 'result') {
            seen.push([message.subtype, message.is_error, message.terminal_reason]);
            break;
          }
          if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta' || isInterrupted)
            continue;
          isInterrupted = true;
          await query.interrupt();
        }
      } catch (error) {
        seen.push(String(error));
      }
      note('seen', seen);
    },
    model: () => [[text(['begun ', gate()])]],
    shows: ['aborted_streaming'],
  },
  'messages that come by streamInput()': {
    program: async (sdk, { options, note }) => {
      const query = sdk.query({
        prompt: new Conversation('one'), // stays open
        options,
      });
      const results: unknown[] = [];
      for await (const message of query) {
        if (message.type !== 'result') continue;
        results.push(message.subtype === 'success' ? message.result : message.subtype);
        if (results.length > 1) break;
        void query.streamInput(
          (async function* () {
            yield user('two');
          })(),
        );
      }
      note('results', results);
    },
    model: () => (request) => `heard ${lastUserText(request)}`,
    shows: ['heard one', 'heard two'],
  },
};
