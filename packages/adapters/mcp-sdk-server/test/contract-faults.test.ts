import type { JsonRpcMessage, McpServer, McpSession } from '@hexagent/ports';
import { isRecord } from '@hexagent/checks';
import {
  brokenPromises,
  mcpServerContract,
  plantedFaults,
  withFault,
  type McpServerFixture,
  type PlantedFault,
} from '@hexagent/testing/contracts';
import { microtasks } from '@hexagent/testing';
import { beforeAll, describe, it } from 'vitest';
import { engines } from './engines.ts';

type Handle = McpSession['handle'];

const [light, changing] = engines.map(({ fixture }) => fixture) as [McpServerFixture, McpServerFixture];

/** Spoils the sessions of a server that keeps its promises. `change` is called for each session. */
function spoiled(
  change: (handle: Handle) => Handle,
  more: Partial<McpSession> = {},
  fixture: McpServerFixture = light,
): McpServerFixture {
  return {
    ...fixture,
    async createServer(tools): Promise<McpServer> {
      return withFault(await fixture.createServer(tools), (server) => ({
        async open(client) {
          const session = await server.open(client);
          return { handle: change((...given) => session.handle(...given)), close: () => session.close(), ...more };
        },
      }));
    },
  };
}

/** Answers some messages in another way. */
const answers =
  (change: (message: JsonRpcMessage) => JsonRpcMessage | 'nothing' | undefined) =>
  (handle: Handle): Handle =>
  async (message, context) => {
    // The suite sends anything.
    const answer = typeof message === 'object' && message !== null ? change(message) : undefined;
    return answer === 'nothing' ? undefined : (answer ?? (await handle(message, context)));
  };

const reply =
  (change: (reply: JsonRpcMessage, request: JsonRpcMessage) => JsonRpcMessage | undefined) =>
  (handle: Handle): Handle =>
  async (message, context) => {
    const answer = await handle(message, context);
    return answer && change(answer, message);
  };

const result = (method: string, change: (result: never) => unknown) =>
  reply((answer, request) =>
    methodOf(request) === method && answer.result !== undefined
      ? { ...answer, result: change(answer.result as never) }
      : answer,
  );

/** Of anything that the suite sends. */
const methodOf = (message: unknown): unknown => (isRecord(message) ? message['method'] : undefined);
const isCall = (message: JsonRpcMessage): boolean => methodOf(message) === 'tools/call';

/** Runs one call at a time. */
function serial(handle: Handle): Handle {
  let last: Promise<unknown> = Promise.resolve();
  return (message, context) => {
    if (!isCall(message)) return handle(message, context);
    const next = last.then(() => handle(message, context));
    last = next.catch(() => {});
    return next;
  };
}

const faults: readonly PlantedFault<McpServerFixture>[] = [
  [
    'answers a ping with nothing',
    spoiled(answers(({ method }) => (method === 'ping' ? 'nothing' : undefined))),
    [
      'answers a ping',
      'answers a malformed request with an error, and continues',
      'answers a request with a field that JSON-RPC does not define',
      'ignores answers to what it never asked and the cancelling of what is not there',
      'drops what a tool sends or returns after its call was cancelled',
      'answers running calls when its session is closed, and requests that arrive later',
    ],
  ],
  [
    'answers a ping with another id',
    spoiled(answers(({ method }) => (method === 'ping' ? { jsonrpc: '2.0', id: 'other', result: {} } : undefined))),
    [
      'answers a ping',
      'answers a malformed request with an error, and continues',
      'answers a request with a field that JSON-RPC does not define',
      'ignores answers to what it never asked and the cancelling of what is not there',
      'drops what a tool sends or returns after its call was cancelled',
      'answers running calls when its session is closed, and requests that arrive later',
    ],
  ],
  [
    'answers a notification',
    spoiled(
      answers(({ method }) =>
        method === 'notifications/roots/list_changed' ? { jsonrpc: '2.0', id: 0, result: {} } : undefined,
      ),
    ),
    'accepts a notification without a reply',
  ],
  [
    'declares what it does not have',
    spoiled(result('initialize', (given: object) => ({ ...given, capabilities: { tools: {}, prompts: {} } }))),
    [
      'declares the capabilities that it has, and no others',
      'has a manifest, if it has one, that agrees with its answers',
    ],
  ],
  [
    'declares nothing',
    spoiled(result('initialize', (given: object) => ({ ...given, capabilities: {} }))),
    [
      'declares the capabilities that it has, and no others',
      'has a manifest, if it has one, that agrees with its answers',
    ],
  ],
  [
    'answers unknown methods with a result',
    spoiled(
      reply((answer) => (answer.error?.code === -32_601 ? { jsonrpc: '2.0', id: answer.id, result: {} } : answer)),
    ),
    ['declares the capabilities that it has, and no others', 'answers an unknown method with the error -32601'],
  ],
  [
    'throws at what is malformed',
    spoiled((handle) => async (message, context) => {
      if (message.jsonrpc !== '2.0') throw new Error('malformed');
      return await handle(message, context);
    }),
    'answers a malformed request with an error, and continues',
  ],
  [
    'can be initialized once',
    spoiled((handle) => {
      let count = 0;
      return async (message, context) => {
        if (message.method === 'initialize' && (count += 1) > 1)
          return { jsonrpc: '2.0', id: message.id, error: { code: 1, message: 'again' } };
        return await handle(message, context);
      };
    }),
    [
      'may be initialized again, as after a reconnect',
      'answers a malformed request with an error, and continues',
      'answers running calls when its session is closed, and requests that arrive later',
    ],
  ],
  [
    'lists no annotations',
    spoiled(
      result('tools/list', ({ tools }: { tools: object[] }) => ({
        tools: tools.map((tool) => ({ ...tool, annotations: {} })),
      })),
    ),
    [
      'has a manifest, if it has one, that agrees with its answers',
      'lists each tool with its description, schema, annotations and `_meta`',
    ],
  ],
  [
    'loses `isError`',
    spoiled(result('tools/call', (given: object) => ({ ...given, isError: false }))),
    [
      'keeps wrong arguments from a tool; the model reads which one is wrong and why',
      'hands on content of every kind as the tool returned it',
      'hands on `structuredContent`, `isError` and `_meta` of a result',
      'answers with the message of an error that a tool throws, or rejects with',
      'answers with a failure where JSON would lose the result, and continues',
    ],
  ],
  [
    'keeps text alone',
    spoiled(
      result('tools/call', ({ content }: { content: { type: string }[] }) => ({
        content: content.filter(({ type }) => type === 'text'),
      })),
    ),
    [
      'keeps wrong arguments from a tool; the model reads which one is wrong and why',
      'hands on content of every kind as the tool returned it',
      'hands on `structuredContent`, `isError` and `_meta` of a result',
      'answers with the message of an error that a tool throws, or rejects with',
      'answers with a failure where JSON would lose the result, and continues',
    ],
  ],
  [
    'cuts off what is long',
    spoiled(
      result('tools/call', ({ content }: { content: { text?: string }[] }) => ({
        content: content.map((item) => ({ ...item, text: item.text?.slice(0, 1_000_000) })),
      })),
    ),
    [
      'keeps wrong arguments from a tool; the model reads which one is wrong and why',
      'hands on content of every kind as the tool returned it',
      'hands on `structuredContent`, `isError` and `_meta` of a result',
      'hands on a result of 20 MB',
      'answers with the message of an error that a tool throws, or rejects with',
      'answers with a failure where JSON would lose the result, and continues',
    ],
  ],
  [
    'loses the `_meta` of a call',
    spoiled(
      (handle) => (message, context) =>
        handle(
          isCall(message) ? { ...message, params: { ...(message.params as object), _meta: undefined } } : message,
          context,
        ),
    ),
    ['calls a tool with its arguments and the `_meta` of the call', 'forwards progress while a tool runs'],
  ],
  [
    'runs one call at a time',
    spoiled(serial),
    ['runs calls concurrently', 'refuses a second request with an id that is in use, and answers the first'],
  ],
  [
    'is not notified that a call was cancelled',
    spoiled(
      (handle) => async (message, context) =>
        methodOf(message) === 'notifications/cancelled' ? undefined : await handle(message, context),
    ),
    [
      'answers a call that the agent cancels, although the tool still runs',
      'drops what a tool sends or returns after its call was cancelled',
    ],
  ],
  [
    'is not notified that a request was withdrawn',
    spoiled((handle) => (message) => handle(message, { signal: new AbortController().signal })),
    ['answers a call whose request the agent withdraws', 'does not start a call that was withdrawn before'],
  ],
  [
    'takes a second request for another',
    spoiled((handle) => async (message, context) => {
      if (message.id !== 'same' || !JSON.stringify(message).includes('add')) return await handle(message, context);
      return { ...(await handle({ ...message, id: 'other' }, context)), jsonrpc: '2.0', id: 'same' };
    }),
    [
      'answers a malformed request with an error, and continues',
      'refuses a second request with an id that is in use, and answers the first',
    ],
  ],
  [
    'has one version of the protocol',
    spoiled(result('initialize', (given: object) => ({ ...given, protocolVersion: '2024-11-05' }))),
    [
      'answers `initialize` with its name, in the version of the protocol that was asked for',
      'has a manifest, if it has one, that agrees with its answers',
    ],
  ],
  [
    'takes any version of the protocol',
    spoiled(
      reply((answer, request) =>
        methodOf(request) === 'initialize'
          ? {
              ...answer,
              result: {
                ...Object(answer.result),
                ...Object(request.params),
                capabilities: Object(answer.result).capabilities,
              },
            }
          : answer,
      ),
    ),
    [
      'names a version that it has when another one is asked for',
      'has a manifest, if it has one, that agrees with its answers',
    ],
  ],
  [
    'declares no change of its tools',
    spoiled(
      result('initialize', (given: object) => ({ ...given, capabilities: { tools: {} } })),
      {},
      changing,
    ),
    'declares `listChanged` if its tools may change, and then reports each change',
  ],
  [
    'answers nothing before `initialize`',
    spoiled((handle) => {
      let isReady = false;
      return answers((message) => {
        if (message.method === 'initialize') isReady = true;
        return isReady ? undefined : 'nothing';
      })(handle);
    }),
    [
      'has a manifest, if it has one, that agrees with its answers',
      'answers what arrives before `initialize`, and can be initialized after it',
      'serves several sessions without mixing them, or refuses the second one',
      'serves a session that begins after another one was closed',
    ],
  ],
  [
    'refuses an unknown field',
    spoiled(
      answers(({ id, ...message }) =>
        !('trace' in message) ? undefined : { jsonrpc: '2.0', id, error: { code: -32_600, message: 'Unknown: trace' } },
      ),
    ),
    'answers a request with a field that JSON-RPC does not define',
  ],
  [
    'does not name an unknown tool',
    spoiled(reply((answer) => JSON.parse(JSON.stringify(answer).replaceAll('constructor', 'it')))),
    'answers the call of an unknown tool with a failure that names it',
  ],
  [
    'answers a response',
    spoiled(
      answers(({ id, method, result: given }) =>
        method === undefined && given !== undefined ? { jsonrpc: '2.0', id, result: {} } : undefined,
      ),
    ),
    'ignores answers to what it never asked and the cancelling of what is not there',
  ],
  [
    'takes a word for a result',
    spoiled(
      reply((answer, { params }) =>
        Object(params).name === 'word' ? { jsonrpc: '2.0', id: answer.id, result: { content: [] } } : answer,
      ),
    ),
    [
      'answers a malformed request with an error, and continues',
      'answers with a failure where JSON would lose the result, and continues',
    ],
  ],
  [
    'mixes up many calls',
    spoiled((handle) => {
      let open = 0;
      let last: JsonRpcMessage | undefined;
      return async (message, context) => {
        open += 1;
        const isMany = open > 20;
        const answer = await handle(message, context);
        open -= 1;
        const mixed = isMany && last ? { ...last, id: answer?.id } : answer;
        last = answer;
        return mixed;
      };
    }),
    'gives each of a hundred concurrent calls its own answer',
  ],
  [
    'ends a call that takes long',
    spoiled((handle) => async (message, context) => {
      const late = async (): Promise<JsonRpcMessage> => {
        await microtasks(80);
        return { jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: 'It was late.' } };
      };
      return await (isCall(message) ? Promise.race([handle(message, context), late()]) : handle(message, context));
    }),
    'leaves a call open while its tool runs, without a deadline of its own',
  ],
  [
    'serves one session',
    {
      ...light,
      async createServer(tools): Promise<McpServer> {
        let first: McpSession | Promise<McpSession> | undefined;
        return withFault(await light.createServer(tools), (server) => ({
          open: (client) => (first ??= server.open(client)),
        }));
      },
    },
    [
      'serves several sessions without mixing them, or refuses the second one',
      'serves a session that begins after another one was closed',
    ],
  ],
  [
    'leaves calls open when it is closed',
    spoiled((handle) => handle, { close: async () => {} }),
    'answers running calls when its session is closed, and requests that arrive later',
  ],
];

describe('The contract of MCP servers', () => {
  // What a server imports when it is first used takes longer than the rounds.
  beforeAll(() => brokenPromises((runner) => mcpServerContract(runner, light)));

  plantedFaults({ it }, { suite: mcpServerContract, kept: spoiled((handle) => handle), rounds: 2000, faults });
});
