import { gate, lastUserText, text } from '@hexagent/testing/loopback';
import type { Place, Sdk } from '../sdks.ts';
import { asking, type Options, type Scenario } from './scenario.ts';

/** The session ids of a query, each once, and its result. */
async function ask(
  sdk: Sdk,
  { options }: Place,
  prompt: string,
  more: Options,
): Promise<{ id: string; answer: string }> {
  let [id, answer] = ['', ''];
  for await (const message of sdk.query({ prompt, options: { ...options, ...more } })) {
    if (message.type === 'system' && message.subtype === 'init') id = message.session_id;
    if (message.type === 'result') answer = message.subtype === 'success' ? message.result : message.subtype;
  }
  return { id, answer };
}

/** How much of the conversation so far the model is sent. */
const counting = () => (request: Parameters<typeof lastUserText>[0]) =>
  `${lastUserText(request)} is message ${request.body.messages.filter(({ role }) => role === 'user').length}`;

const seven = '77777777-7777-4777-8777-777777777777';

/** Sessions that continue, and conversations that end before their time. */
export const ending: Readonly<Record<string, Scenario>> = {
  'a session that is resumed': {
    program: async (sdk, place) => {
      const first = await ask(sdk, place, 'one', {});
      const second = await ask(sdk, place, 'two', { resume: first.id });
      place.note('answers', [first.answer, second.answer, second.id === first.id]);
    },
    model: counting,
    shows: ['one is message 1', 'two is message 2', 'true]'],
  },
  'a session that is forked': {
    program: async (sdk, place) => {
      const first = await ask(sdk, place, 'one', {});
      const second = await ask(sdk, place, 'two', { resume: first.id, forkSession: true });
      place.note('answers', [first.answer, second.answer, second.id === first.id]);
    },
    model: counting,
    shows: ['two is message 2', 'false]'],
  },
  'the newest session, which is continued': {
    program: async (sdk, place) => {
      const first = await ask(sdk, place, 'one', {});
      const second = await ask(sdk, place, 'two', { continue: true });
      place.note('answers', [second.answer, second.id === first.id]);
    },
    model: counting,
    shows: ['two is message 2', 'true]'],
  },
  'a session of a chosen id, twice': {
    program: async (sdk, place) => {
      const first = await ask(sdk, place, 'one', { sessionId: seven });
      place.note('id', first.id === seven);
      await ask(sdk, place, 'two', { sessionId: seven });
    },
    model: counting,
    shows: ['"id":true', '"thrown":{'],
  },
  'a session that is not kept': {
    program: async (sdk, place) => {
      const first = await ask(sdk, place, 'one', { persistSession: false });
      await ask(sdk, place, 'two', { resume: first.id });
    },
    model: counting,
    shows: ['No conversation found'],
  },
  'a session that there is not': {
    program: asking('hello', { resume: seven }),
    model: () => ['hello back'],
    shows: ['No conversation found'],
  },
  'a loop that is left': {
    program: async (sdk, { options, note }) => {
      const types: string[] = [];
      for await (const message of sdk.query({ prompt: 'go', options })) {
        types.push(message.type);
        if (message.type === 'assistant') break;
      }
      note('types', types);
    },
    model: () => ['hello back'],
    shows: ['assistant"]'],
  },
  'a query that is aborted': {
    program: async (sdk, { options, note }) => {
      const abortController = new AbortController();
      const query = sdk.query({ prompt: 'go', options: { ...options, abortController, includePartialMessages: true } });
      try {
        for await (const message of query)
          if (message.type === 'stream_event' && message.event.type === 'content_block_delta') abortController.abort();
      } catch (error) {
        note('thrown', [error instanceof sdk.AbortError, error instanceof Error && error.message]);
      }
    },
    model: () => [[text(['begun ', gate()])]],
    shows: ['"thrown":[true'],
  },
  'a query that is closed': {
    program: async (sdk, { options, note }) => {
      const query = sdk.query({ prompt: 'go', options: { ...options, includePartialMessages: true } });
      const ends: string[] = [];
      try {
        for await (const message of query)
          if (message.type === 'stream_event' && message.event.type === 'content_block_delta') query.close();
        ends.push('ended');
      } catch (error) {
        ends.push(String(error));
      }
      note('ends', ends);
    },
    model: () => [[text(['begun ', gate()])]],
    shows: ['"ends":['],
  },
};
