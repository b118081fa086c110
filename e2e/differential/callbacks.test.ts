import { describe, expect, it } from 'vitest';
import { controlRequest, finishTurn, obliging } from './behaviours.ts';
import { compare, type Program, type RunRecord } from './run.ts';
import type { Behaviour, WireFrame } from './stand-in.ts';

/** Asks something of the program in the turn, and ends the turn when it is answered. */
function asking(request: WireFrame): Behaviour {
  return (agent) => {
    obliging({
      message: () => {
        agent.write(controlRequest('asked', request));
        return true;
      },
    })(agent);
    agent.listen({
      frame: ({ type }) => {
        if (type === 'control_response') finishTurn(agent);
      },
    });
  };
}

/** The answers of the program, as the agent gets them. */
const answersOf = ({ launches }: RunRecord): readonly unknown[] =>
  launches.flatMap(({ stdin }) =>
    stdin.flatMap(({ type, response }) => (type === 'control_response' ? [response] : [])),
  );

/** An object as a program sees it that copies it: its own keys only. */
const copyOf = (given: unknown): object => {
  const { signal, ...kept } = { ...(given as { readonly signal?: unknown }) };
  return { ...kept, signal: signal instanceof AbortSignal };
};

const permission = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'toolu_1',
  agent_id: 'agent_1',
  permission_suggestions: [{ type: 'setMode', mode: 'plan', destination: 'session' }],
  blocked_path: '/blocked',
  decision_reason: 'because',
  decision_reason_type: 'rule',
  requires_user_interaction: true,
  server_policy_ask_only: true,
  title: 'A title',
  display_name: 'A name',
  description: 'A description',
  default_to_no: true,
  suppress_always_allow_rule: true,
  matched_ask_rule: { source: 'userSettings', tool_name: 'Bash', rule_content: 'ls' },
  mcp_server: { name: 'm', source: 'sdk', more: 1 },
  decision_reason_code: 'a_code',
  plugin: 'a plugin',
  server_prompt: 'Says the server',
  computer_folder: { path: '/there', computer_name: 'other', more: 1 },
  from_the_future: 1,
};

/** The fields that are handed on only where they have the right form. */
const misformed = {
  ...permission,
  decision_reason_type: 1,
  requires_user_interaction: 'yes',
  server_policy_ask_only: 1,
  decision_reason_code: {},
  plugin: true,
  server_prompt: 5,
  computer_folder: { path: '/there' },
  matched_ask_rule: { source: 'userSettings', tool_name: 'Bash' },
};

describe('What canUseTool is given', () => {
  it.each<readonly [string, WireFrame]>([
    ['with every field', permission],
    ['with fields of another form', misformed],
    [
      'with none that may be missing',
      { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'toolu_1' },
    ],
  ])('is the same: %s', async (_, request) => {
    const program: Program = ({ query }, { options, note }) =>
      query({
        prompt: 'hello',
        options: {
          ...options,
          canUseTool: async (name, input, context) => {
            note('asked', { name, input, context: copyOf(context) });
            return { behavior: 'allow', updatedInput: input };
          },
        },
      });
    const { official, ours } = await compare(program, { standIn: asking(request) });
    expect(ours.notes).toEqual(official.notes);
    expect(ours.notes).toHaveProperty('asked.context.signal', true);
    expect(answersOf(ours)).toEqual(answersOf(official));
  });
});

describe('What canUseTool answers', () => {
  const update = (destination: string): object => ({
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'ls *' }],
    behavior: 'allow',
    destination,
  });

  it.each<readonly [string, object]>([
    ['allowed', { behavior: 'allow' }],
    ['allowed with another input', { behavior: 'allow', updatedInput: { command: 'pwd' } }],
    [
      'allowed with rules for every place',
      {
        behavior: 'allow',
        updatedPermissions: ['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'].map(update),
      },
    ],
    [
      'allowed with a mode and a folder',
      {
        behavior: 'allow',
        updatedPermissions: [
          { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
          { type: 'addDirectories', directories: ['/there'], destination: 'session' },
        ],
      },
    ],
    ['allowed for once', { behavior: 'allow', decisionClassification: 'user_temporary' }],
    ['allowed from now on', { behavior: 'allow', decisionClassification: 'user_permanent' }],
    ['denied', { behavior: 'deny', message: 'No.' }],
    ['denied by a person', { behavior: 'deny', message: 'No.', decisionClassification: 'user_reject' }],
    ['denied, and the turn ends', { behavior: 'deny', message: 'No.', interrupt: true }],
    ['denied, and the turn goes on', { behavior: 'deny', message: 'No.', interrupt: false }],
    ['allowed with a message', { behavior: 'allow', message: 'Yes.' }],
  ])('reaches the agent alike: %s', async (_, answer) => {
    const program: Program = ({ query }, { options }) =>
      query({ prompt: 'hello', options: { ...options, canUseTool: async () => answer as never } });
    const { official, ours } = await compare(program, { standIn: asking(permission) });
    expect(answersOf(ours)).toEqual(answersOf(official));
    expect(answersOf(ours)).toMatchObject([{ subtype: 'success', response: { ...answer, toolUseID: 'toolu_1' } }]);
  });

  it('is an error with its message where it throws', async () => {
    const program: Program = ({ query }, { options }) =>
      query({ prompt: 'hello', options: { ...options, canUseTool: () => Promise.reject(new Error('broke')) } });
    const { official, ours } = await compare(program, { standIn: asking(permission) });
    expect(answersOf(ours)).toEqual(answersOf(official));
    expect(answersOf(ours)).toMatchObject([{ subtype: 'error', error: 'broke' }]);
  });
});

describe('What a hook is given', () => {
  it('is the same, and a copy of it keeps the signal', async () => {
    const program: Program = ({ query }, { options, note }) =>
      query({
        prompt: 'hello',
        options: {
          ...options,
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  async (input, toolUseID, context) => {
                    note('called', { input, toolUseID, context: copyOf(context), keys: Object.keys(context) });
                    return { continue: true };
                  },
                ],
              },
            ],
          },
        },
      });
    const input = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: {} };
    const standIn = asking({ subtype: 'hook_callback', callback_id: 'hook_0', input, tool_use_id: 'toolu_1' });
    const { official, ours } = await compare(program, { standIn });
    expect(ours.notes).toEqual(official.notes);
    expect(ours.notes).toHaveProperty('called.keys', ['signal']);
    expect(answersOf(ours)).toEqual(answersOf(official));
  });
});

describe('A hook that the agent calls with an incomplete request', () => {
  const whole = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: {} };
  const both = async (request: object): ReturnType<typeof compare> => {
    const program: Program = ({ query }, { options, note }) => {
      const hook = async (input: unknown, toolUseID: unknown): Promise<object> => {
        note('called', { input, toolUseID });
        return { continue: true };
      };
      return query({ prompt: 'hello', options: { ...options, hooks: { PreToolUse: [{ hooks: [hook] }] } } });
    };
    return await compare(program, { standIn: asking({ subtype: 'hook_callback', callback_id: 'hook_0', ...request }) });
  };

  it.each<readonly [string, object]>([
    ['with an empty input', { input: {} }],
    ['without the name of its event', { input: { ...whole, hook_event_name: undefined } }],
    ['with the name of another event', { input: { ...whole, hook_event_name: 'Stop' } }],
    ['with the name of no event', { input: { ...whole, hook_event_name: 'Sneezed' } }],
    ['without the name of its tool', { input: { ...whole, tool_name: undefined } }],
    ['without the input of its tool', { input: { ...whole, tool_input: undefined } }],
    ['of a callback that there is not', { callback_id: 'hook_9', input: whole }],
    ['with an odd id of its tool call', { input: whole, tool_use_id: 5 }],
  ])('is given the same, and answers alike: %s', async (_, request) => {
    const { official, ours } = await both(request);
    expect(ours.notes).toEqual(official.notes);
    expect(answersOf(ours)).toEqual(answersOf(official));
  });

  it.each<readonly [string, object]>([
    ['no input', {}],
    ['null', { input: null }],
    ['a text', { input: 'x' }],
  ])('is called there and not by ours, which answers with an error: %s', async (_, request) => {
    const { official, ours } = await both(request);
    expect(official.notes).toHaveProperty('called');
    expect(ours.notes).toEqual({});
    expect(answersOf(ours)).toMatchObject([
      { subtype: 'error', error: 'hook_callback needs `callback_id` and `input`.' },
    ]);
  });
});

describe('What onElicitation and onUserDialog are given', () => {
  it.each<readonly [string, WireFrame]>([
    [
      'an elicitation',
      {
        subtype: 'elicitation',
        mcp_server_name: 'm',
        message: 'Which?',
        mode: 'form',
        url: 'http://x',
        elicitation_id: 'e1',
        requested_schema: { type: 'object' },
        title: 't',
        display_name: 'd',
        description: 'x',
      },
    ],
    ['a short elicitation', { subtype: 'elicitation', mcp_server_name: 'm', message: 'Which?' }],
    ['a dialog', { subtype: 'request_user_dialog', dialog_kind: 'survey', payload: { a: 1 }, tool_use_id: 'toolu_1' }],
    ['a short dialog', { subtype: 'request_user_dialog', dialog_kind: 'survey', payload: {} }],
    ['a dialog without a payload', { subtype: 'request_user_dialog', dialog_kind: 'survey' }],
  ])('is the same: %s', async (_, request) => {
    const program: Program = ({ query }, { options, note }) =>
      query({
        prompt: 'hello',
        options: {
          ...options,
          onElicitation: async (asked, context) => {
            note('asked', { asked, context: copyOf(context) });
            return { action: 'accept', content: { a: 'b' } };
          },
          onUserDialog: async (asked, context) => {
            note('asked', { asked, context: copyOf(context) });
            return { behavior: 'completed', result: 'chosen' };
          },
          supportedDialogKinds: ['survey'],
        },
      });
    const { official, ours } = await compare(program, { standIn: asking(request) });
    expect(ours.notes).toEqual(official.notes);
    expect(ours.notes).toHaveProperty('asked');
    expect(answersOf(ours)).toEqual(answersOf(official));
  });
});

describe('Requests without a registered callback', () => {
  /** The turn ends by itself, since some of these are not answered at all. */
  const askingAside = (request: WireFrame): Behaviour =>
    obliging({
      message: (_, agent) => {
        agent.write(controlRequest('asked', request));
        return false;
      },
    });

  const program: Program = ({ query }, { options }) => query({ prompt: 'hello', options });

  it('is answered alike: an elicitation', async () => {
    const request = { subtype: 'elicitation', mcp_server_name: 'm', message: 'Which?' };
    const { official, ours } = await compare(program, { standIn: askingAside(request) });
    expect(answersOf(ours)).toEqual(answersOf(official));
  });

  it('is cancelled by ours while in the official package nothing is answered: a dialog', async () => {
    const request = { subtype: 'request_user_dialog', dialog_kind: 'survey', payload: {} };
    const { official, ours } = await compare(program, { standIn: askingAside(request) });
    expect(answersOf(official)).toEqual([]);
    expect(answersOf(ours)).toMatchObject([{ subtype: 'success', response: { behavior: 'cancelled' } }]);
  });

  it('is answered by ours in the words of MCP: a server', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const request = { subtype: 'mcp_message', server_name: 'm', message };
    const { official, ours } = await compare(program, { standIn: askingAside(request) });
    expect(answersOf(official)).toMatchObject([{ subtype: 'error' }]);
    expect(answersOf(ours)).toMatchObject([{ response: { mcp_response: { id: 1, error: { code: -32_601 } } } }]);
  });

  it.each<readonly [string, WireFrame]>([
    ['a permission', { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'toolu_1' }],
    ['a hook', { subtype: 'hook_callback', callback_id: 'hook_9', input: {} }],
    ['what is unknown', { subtype: 'from_the_future' }],
  ])('is refused by both: %s', async (_, request) => {
    const { official, ours } = await compare(program, { standIn: askingAside(request) });
    for (const side of [official, ours])
      expect(answersOf(side)).toMatchObject([{ subtype: 'error', request_id: 'asked' }]);
  });
});
