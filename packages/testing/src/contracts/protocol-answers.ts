import { assert } from './assert.ts';
import type { Host, JsonRpcMessage } from '@hexagent/ports';
import {
  ask,
  answersTo,
  open,
  type OpenOptions,
  type ProtocolFixture,
  type ProtocolPromises,
} from './protocol-fixture.ts';

const permission = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input: { command: 'ls' } };
const hook = { subtype: 'hook_callback', callback_id: 'hook_0', input: { hook_event_name: 'Stop' } };
const elicitation = { subtype: 'elicitation', mcp_server_name: 's', message: 'Which?' };
const dialog = { subtype: 'request_user_dialog', dialog_kind: 'confirm', payload: {} };
const call = { subtype: 'mcp_message', server_name: 's', message: { jsonrpc: '2.0', id: 'a:1', method: 'tools/call' } };
const notification = { ...call, message: { jsonrpc: '2.0', method: 'notifications/initialized' } };
const requests = { permission, hook, elicitation, dialog, call };

/** Every request of the agent is answered, whatever the program does: without an answer the agent waits, for some requests for ever. */
export const answers: ProtocolPromises = {
  'answers an unknown request with an error that names it': async (fixture) => {
    assert.deepEqual(await answerOf(fixture, { subtype: 'make_coffee' }), {
      subtype: 'error',
      error: 'Unsupported control request subtype: make_coffee',
      error_code: 'unsupported_request',
    });
  },

  'answers with an error where the program has no handler for a request': async (fixture) => {
    const expected = {
      permission: { error: /permission callback/u },
      hook: { error: /hook_0/u },
      elicitation: { response: { action: 'decline' } },
      dialog: { response: { behavior: 'cancelled' } },
    };
    assert.match(String((await answerOf(fixture, permission)).error), expected.permission.error);
    assert.match(String((await answerOf(fixture, hook)).error), expected.hook.error);
    assert.deepEqual((await answerOf(fixture, elicitation)).response, expected.elicitation.response);
    assert.deepEqual((await answerOf(fixture, dialog)).response, expected.dialog.response);
  },

  'answers a call to an unknown server as JSON-RPC, with the id of the call': async (fixture) => {
    for (const handlers of [{}, { mcp_message: () => null }]) {
      const { response } = await answerOf(fixture, call, handlers);
      const { id, error } = replyIn(response);
      assert.deepEqual([id, error?.code], ['a:1', -32601]);
    }
  },

  'answers a notification over MCP too, since the agent waits for a reply': async (fixture) => {
    const filler = { mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } };
    assert.deepEqual((await answerOf(fixture, notification)).response, filler);
    assert.deepEqual((await answerOf(fixture, notification, { mcp_message: async () => undefined })).response, filler);
  },

  'answers a request that lacks fields with an error': async (fixture) => {
    for (const request of Object.values(requests)) {
      const { error } = await answerOf(fixture, { subtype: request.subtype }, allRefusing());
      assert.match(String(error), new RegExp(request.subtype, 'u'));
    }
    assert.equal((await answerOf(fixture, {})).subtype, 'error');
  },

  'answers with the message of an error that a callback throws': async (fixture) => {
    for (const [name, request] of Object.entries(requests)) {
      const { error, response } = await answerOf(fixture, request, allRefusing());
      const message = name === 'call' ? replyIn(response).error?.message : error;
      assert.equal(message, 'Refused by the test.', name);
    }
  },

  'answers with an error when JSON cannot hold the answer of a callback': async (fixture) => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const host: Partial<Host> = {
      can_use_tool: async () => ({ behavior: 'allow', updatedInput: loop }),
      hook_callback: async () => ({
        hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: { n: 1n } },
      }),
      elicitation: async () => ({ action: 'accept', content: loop }),
      request_user_dialog: async () => ({ behavior: 'completed', result: loop }),
      mcp_message: async () => ({ jsonrpc: '2.0', id: 'a:1', result: loop }),
    };
    for (const [name, request] of Object.entries(requests)) {
      const { error, response } = await answerOf(fixture, request, host);
      const denial = name === 'permission' ? response?.['message'] : error;
      const message = name === 'call' ? replyIn(response).error?.message : denial;
      assert.match(String(message), /\bself\b|\bn\b/u, name);
    }
  },

  'sends nothing when a permission or a dialog is answered elsewhere': async (fixture) => {
    for (const request of [permission, dialog]) {
      const { agent, channel } = await open(fixture, {
        host: { can_use_tool: async () => null, request_user_dialog: async () => null },
      });
      agent.write({ type: 'control_request', request_id: 'asked', request });
      assert.equal(await answersTo(agent), 0);
      assert.equal(channel.openAnswers, 0);
      await channel.close();
    }
  },

  'denies with the valid forms when the answer of a permission callback is invalid': async (fixture) => {
    const nonsense: readonly unknown[] = [
      undefined,
      'yes',
      {},
      { behavior: 'ask' },
      { behavior: 'allow', updatedInput: [] },
      { type: 'allow' },
    ];
    for (const given of nonsense) {
      const { agent, channel, observed } = await open(fixture, { host: { can_use_tool: async () => given as null } });
      const { response } = await ask(agent, permission);
      assert.equal(response?.['behavior'], 'deny');
      assert.match(String(response?.['message']), /Accepted are allow\(\) and deny\(message\)/u);
      assert.equal(observed.filter(({ kind }) => kind === 'callback_failed').length, 1);
      await channel.close();
    }
  },

  'names an unknown behavior of a permission callback': async (fixture) => {
    const decide = async (): Promise<null> => JSON.parse('{ "behavior": "alow" }');
    const { response } = await answerOf(fixture, permission, { can_use_tool: decide });
    assert.match(String(response?.['message']), /"alow".*Accepted are/u);
  },

  'ends the turn on a denial with `interrupt` and without a message': async (fixture) => {
    const deny = async (): Promise<null> => JSON.parse('{ "behavior": "deny", "interrupt": true }');
    const { response } = await answerOf(fixture, permission, { can_use_tool: deny });
    assert.deepEqual(
      [response?.['behavior'], response?.['interrupt'], typeof response?.['message']],
      ['deny', true, 'string'],
    );
  },

  'adds the id of the tool call to a permission answer and changes nothing else': async (fixture) => {
    const given = { behavior: 'allow', updatedInput: { command: 'pwd' }, updatedPermissions: [] } as const;
    const { response } = await answerOf(fixture, permission, { can_use_tool: async () => given });
    assert.deepEqual(response, { ...given, toolUseID: 't1' });
  },

  'corrects the id of a reply of an MCP server, and replaces a malformed reply by an error': async (fixture) => {
    const wrong = await answerOf(fixture, call, { mcp_message: async () => ({ jsonrpc: '2.0', id: 'b', result: {} }) });
    assert.deepEqual(replyIn(wrong.response), { jsonrpc: '2.0', id: 'a:1', result: {} });
    for (const malformed of malformedReplies) {
      const { response } = await answerOf(fixture, call, { mcp_message: async () => malformed as undefined });
      const { error, ...rest } = replyIn(response);
      assert.deepEqual([rest, error?.code], [{ jsonrpc: '2.0', id: 'a:1' }, -32603], JSON.stringify(malformed));
      assert.ok(typeof error?.message === 'string' && error.message.length > 0, JSON.stringify(malformed));
    }
  },

  'hands on of a reply what JSON-RPC defines, since the agent waits for ever when it gets more': async (fixture) => {
    const data = { a: 1 };
    const replies: readonly (readonly [object, object])[] = [
      [{ result: { content: [] }, trace: 'x' }, { result: { content: [] } }],
      [{ result: { a: 1 }, error: null }, { result: { a: 1 } }],
      [{ result: {}, error: { code: 1, message: 'both' } }, { error: { code: 1, message: 'both' } }],
      [{ error: { code: -32_000, message: '', data, stack: 'x' } }, { error: { code: -32_000, message: '', data } }],
    ];
    for (const [given, expected] of replies) {
      const answer: JsonRpcMessage = { jsonrpc: '2.0', id: 'a:1', ...given };
      const { response } = await answerOf(fixture, call, { mcp_message: async () => answer });
      assert.deepEqual(replyIn(response), { jsonrpc: '2.0', id: 'a:1', ...expected });
    }
  },
};

const malformedReplies: readonly unknown[] = [
  undefined,
  'yes',
  {},
  ...[null, 'x', [], 5].map((result) => ({ jsonrpc: '2.0', id: 'a:1', result })),
  { jsonrpc: '2.0', id: 'a:1', result: { _meta: 'x' } },
  ...['bad', {}, { message: 'm' }, { code: 'x', message: 'm' }, { code: 1.5, message: 'm' }, { code: -32_603 }].map(
    (error) => ({ jsonrpc: '2.0', id: 'a:1', error }),
  ),
];

interface Reply {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function replyIn(response: Readonly<Record<string, unknown>> | undefined): Reply {
  return response?.['mcp_response'] as Reply; // what the agent would read; an assertion on it follows
}

/** The one answer to a request, without its id. */
async function answerOf(
  fixture: ProtocolFixture,
  request: object,
  host: OpenOptions['host'] = {},
): Promise<AnswerSeen> {
  const { agent, channel } = await open(fixture, { host });
  const { request_id, ...answer } = await ask(agent, request);
  assert.equal(await answersTo(agent, request_id), 1);
  assert.equal(channel.openAnswers, 0);
  await channel.close();
  return answer;
}

type AnswerSeen = Omit<Awaited<ReturnType<typeof ask>>, 'request_id'>;

function allRefusing(): Partial<Host> {
  const refuse = async (): Promise<never> => {
    throw new Error('Refused by the test.');
  };
  return {
    can_use_tool: refuse,
    hook_callback: refuse,
    elicitation: refuse,
    request_user_dialog: refuse,
    mcp_message: refuse,
  };
}
