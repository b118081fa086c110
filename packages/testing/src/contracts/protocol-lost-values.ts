import { assert } from './assert.ts';
import type { Host, HookOutput, PermissionAnswer } from '@hexagent/ports';
import { ask, answersTo, open, type ProtocolFixture, type ProtocolPromises } from './protocol-fixture.ts';

const input = { command: 'rm -r build' };
const permission = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input };
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

/** Before a tool, the agent checks an empty input like any other. */
const harmless = new Set(['members that are all undefined', 'nothing at all']);

class Command {
  get command(): string {
    return 'ls';
  }
}

/** Changed inputs that JSON would lose or change. */
const lostInputs: Readonly<Record<string, object>> = {
  'a Map': new Map([['command', 'ls']]),
  'a Set': new Set(['ls']),
  'a class with getters': new Command(),
  'an object whose toJSON is undefined': { command: 'ls', toJSON: () => undefined },
  'an object whose toJSON is another': { command: 'ls', toJSON: () => input },
  'a date': { command: new Date(0) },
  'a function': { command: () => 'ls' },
  'a symbol': { command: Symbol('ls') },
  'a BigInt': { timeout: 1n },
  NaN: { timeout: Number.NaN },
  'a cycle': cyclic,
  'a hidden member': Object.defineProperty({ a: 1 }, 'command', { value: 'ls' }),
  'a list with a hole': { command: Array.from({ length: 2 }).concat([1]) },
  'a proxy that throws': new Proxy({}, { ownKeys: () => assert.fail('a trap') }),
  'members that are all undefined': { command: undefined },
  'nothing at all': {},
};

/** A changed value arrives unchanged, or the call is refused: the agent would otherwise continue with the original. */
export const lostValues: ProtocolPromises = {
  'denies a call that was allowed with an input that JSON would lose, with the reason': async (fixture) => {
    for (const [name, updatedInput] of Object.entries(lostInputs)) {
      // Only untyped code returns some of these.
      const answer = { behavior: 'allow', updatedInput } as PermissionAnswer;
      const { response, warned } = await answerOf(fixture, permission, { can_use_tool: async () => answer });
      assert.equal(response?.['behavior'], 'deny', name);
      assert.match(String(response?.['message']), /^Denied: .*updatedInput/u, name);
      assert.equal(warned, 1, name);
    }
  },

  'keeps an empty input empty': async (fixture) => {
    const asked = { ...permission, input: {} };
    const answer = { behavior: 'allow', updatedInput: {} } as const;
    const { response } = await answerOf(fixture, asked, { can_use_tool: async () => answer });
    assert.deepEqual(response, { ...answer, toolUseID: 't1' });
  },

  'leaves out undefined members': async (fixture) => {
    const updatedInput = { command: 'ls', timeout: undefined };
    const host: Partial<Host> = { can_use_tool: async () => ({ behavior: 'allow', updatedInput }) };
    const { response } = await answerOf(fixture, permission, host);
    assert.deepEqual(response?.['updatedInput'], { command: 'ls' });
  },

  'denies a call that was allowed with rules that JSON would lose': async (fixture) => {
    const answer: unknown = { behavior: 'allow', updatedPermissions: [new Map([['type', 'addRules']])] };
    const host: Partial<Host> = { can_use_tool: async () => answer as PermissionAnswer }; // as JavaScript may answer
    const { response } = await answerOf(fixture, permission, host);
    assert.match(String(response?.['message']), /updatedPermissions\[0\]` is a Map/u);
  },

  'reads an answer once, so that the checked answer is the one that is sent': async (fixture) => {
    let reads = 0;
    const answer = {
      behavior: 'allow' as const,
      get updatedInput() {
        reads += 1;
        return reads === 1 ? { command: 'ls' } : undefined;
      },
    };
    const { response } = await answerOf(fixture, permission, { can_use_tool: async () => answer });
    assert.deepEqual(response?.['updatedInput'], { command: 'ls' });
  },

  'writes only the members of an answer that the agent knows': async (fixture) => {
    const others = { toolName: 'Bash', request_id: 'x' };
    const answers: readonly PermissionAnswer[] = [
      { behavior: 'allow', updatedInput: { command: 'ls' }, decisionClassification: 'user_temporary' },
      { behavior: 'deny', message: 'No.', interrupt: true, decisionClassification: 'user_reject' },
    ];
    for (const answer of answers) {
      const host: Partial<Host> = { can_use_tool: async () => ({ ...answer, ...others }) };
      const { response } = await answerOf(fixture, permission, host);
      assert.deepEqual(response, { ...answer, toolUseID: 't1' });
    }
  },

  'denies a call that was allowed with a misspelt member, with the reason': async (fixture) => {
    for (const name of ['updatedinput', 'updated_input', 'updateInput', 'updatedPermission']) {
      const answer = { behavior: 'allow', [name]: { command: 'ls' } } as PermissionAnswer;
      const { response } = await answerOf(fixture, permission, { can_use_tool: async () => answer });
      assert.match(String(response?.['message']), /^Denied: .*Did you mean `updated/u, name);
    }
  },

  'keeps a denial, whatever other fields it has': async (fixture) => {
    const answer = { behavior: 'deny', message: 'No.', extra: cyclic } as PermissionAnswer;
    const { response } = await answerOf(fixture, permission, { can_use_tool: async () => answer });
    assert.deepEqual(response, { behavior: 'deny', message: 'No.', toolUseID: 't1' });
  },

  'refuses the call when JSON would lose the answer of a hook before it': async (fixture) => {
    for (const [name, lost] of Object.entries(lostInputs)) {
      if (harmless.has(name)) continue;
      const specific = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: lost };
      for (const output of [{ hookSpecificOutput: specific }, lost])
        assert.match(String(await refusalBy(fixture, output)), /hook for PreToolUse/u, name);
    }
  },

  'refuses the call when the agent would read the answer of a hook before it as empty': async (fixture) => {
    const specific = { hookEventName: 'PreToolUse', permissionDecision: 'deny' };
    const unusable: readonly unknown[] = [
      { hookSpecificOutput: { permissionDecision: 'deny' } },
      { hookSpecificOutput: { ...specific, hookEventName: 'Stop' } },
      { hookSpecificOutput: { ...specific, permissionDecision: 'Deny' } },
      { hookSpecificOutput: { ...specific, permissionDecisionReason: 5 } },
      { hookSpecificOutput: { ...specific, updatedInput: 'ls' } },
      { hookSpecificOutput: { ...specific, permissionDecision: 'allow', updatedInput: null } },
      { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: null } },
      { hookSpecificOutput: 'deny' },
      { hookSpecificOutput: specific, continue: 'false' },
      { decision: 'deny', reason: 'No.' },
      { permissionDecision: 'deny' },
      { behavior: 'deny', message: 'No.' },
      { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecisoin: 'deny' } },
      { hookSpecificOutput: { hookEventName: 'PreToolUse', permission_decision: 'deny' } },
      { hookSpecificOutput: { hookEventName: 'PreToolUse', updateInput: {} } },
      { desicion: 'block', reason: 'No.' },
      { continu: false },
    ];
    for (const output of unusable)
      assert.match(String(await refusalBy(fixture, output)), /cannot use/u, JSON.stringify(output));
  },

  'passes on unknown fields of a hook that are not a misspelling': async (fixture) => {
    const specific = { hookEventName: 'PreToolUse', permissionDecision: 'deny', note: 'mine', interrupt: true };
    const output = { hookSpecificOutput: specific, because: ['mine'], continueAfter: 5, suppressOutput: true };
    assert.deepEqual((await hookAnswer(fixture, 'PreToolUse', output)).response, output);
  },

  'keeps an empty input empty in the answer of a hook, and makes no other input empty': async (fixture) => {
    const decision = { behavior: 'allow', updatedInput: {} };
    const output = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
    const kept = await hookAnswer(fixture, 'PermissionRequest', output, { tool_input: {} });
    assert.deepEqual(kept.response, output);
    const emptied = await hookAnswer(fixture, 'PermissionRequest', output, { tool_input: input });
    assert.match(JSON.stringify(emptied.response), /"behavior":"deny".*updatedInput` is empty/u);
  },

  'leaves out fields of a hook that are null': async (fixture) => {
    const specific = { hookEventName: 'PreToolUse', permissionDecision: 'deny', updatedInput: null, other: null };
    const { response } = await hookAnswer(fixture, 'PreToolUse', {
      decision: null,
      hookSpecificOutput: specific,
      other: null,
    });
    const { updatedInput: _, ...kept } = specific;
    assert.deepEqual(response, { hookSpecificOutput: kept, other: null });
  },

  'stops a prompt, a permission and an output that a hook changed, where the answer is lost on the way': async (
    fixture,
  ) => {
    const lost = { hookSpecificOutput: { hookEventName: 'x', updatedToolOutput: new Map() } };
    const prompt = await hookAnswer(fixture, 'UserPromptSubmit', lost);
    assert.equal(prompt.response?.['decision'], 'block');
    const asked = await hookAnswer(fixture, 'PermissionRequest', lost);
    assert.match(JSON.stringify(asked.response), /"decision":\{"behavior":"deny"/u);
    const output = await hookAnswer(fixture, 'PostToolUse', lost);
    assert.equal(output.response?.['continue'], false);
    const other = await hookAnswer(fixture, 'Notification', lost);
    assert.match(String(other.error), /is a Map/u);
  },

  'answers a request with the same id, of any type, or without one': async (fixture) => {
    for (const id of [5, 0, null, '', true, { a: [1] }, ['b']]) {
      const { agent, channel } = await open(fixture, { host: { can_use_tool: async () => ({ behavior: 'allow' }) } });
      const { response } = await ask(agent, permission, id);
      assert.equal(response?.['behavior'], 'allow');
      assert.equal(await answersTo(agent, id), 1);
      await channel.close();
    }
    const { agent, channel } = await open(fixture, { host: { can_use_tool: async () => ({ behavior: 'allow' }) } });
    agent.write({ type: 'control_request', request: permission }, { type: 'control_request', request: permission });
    await answersTo(agent);
    const ids = agent.received.filter(({ type }) => type === 'control_response').map(({ response }) => response);
    assert.deepEqual(
      ids.map((response) => response && 'request_id' in response),
      [false, false],
    );
    await channel.close();
  },

  'withdraws a request with an id of any type': async (fixture) => {
    let signal: AbortSignal | undefined;
    const { agent, channel } = await open(fixture, {
      host: {
        can_use_tool: (_, context) => {
          ({ signal } = context);
          return new Promise(() => {});
        },
      },
    });
    agent.write({ type: 'control_request', request_id: { a: 1 }, request: permission });
    await answersTo(agent);
    agent.write({ type: 'control_cancel_request', request_id: { a: 1 } });
    await answersTo(agent);
    assert.equal(signal?.aborted, true);
    assert.equal(channel.openAnswers, 0);
    await channel.close();
  },

  'warns of a callback that fails, and names it': async (fixture) => {
    const refuse = async (): Promise<never> => {
      throw new Error('Broken.');
    };
    const { agent, channel, warned } = await open(fixture, { host: { can_use_tool: refuse, hook_callback: refuse } });
    await ask(agent, permission);
    await ask(agent, { subtype: 'hook_callback', callback_id: 'h', input: { hook_event_name: 'Stop' } }, 'second');
    assert.deepEqual(
      warned.map(({ code, source }) => [code, source]),
      [
        ['HEXAGENT_CALLBACK_FAILED', 'permission callback'],
        ['HEXAGENT_CALLBACK_FAILED', 'hook for Stop'],
      ],
    );
    assert.match(warned[0]?.message ?? '', /Broken\./u);
    await channel.close();
  },
};

interface Answered {
  readonly response?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: string | undefined;
  readonly warned: number;
}

async function answerOf(fixture: ProtocolFixture, request: object, host: Partial<Host>): Promise<Answered> {
  const { agent, channel, warned } = await open(fixture, { host });
  const { response, error } = await ask(agent, request);
  assert.equal(channel.openAnswers, 0);
  await channel.close();
  return { response, error, warned: warned.length };
}

async function hookAnswer(
  fixture: ProtocolFixture,
  event: string,
  output: unknown,
  fields: object = {},
): Promise<Answered> {
  const request = { subtype: 'hook_callback', callback_id: 'h', input: { hook_event_name: event, ...fields } };
  return await answerOf(fixture, request, { hook_callback: async () => output as HookOutput }); // what only untyped code returns
}

/** Why the call was refused; `undefined` when it was not. */
async function refusalBy(fixture: ProtocolFixture, output: unknown): Promise<unknown> {
  const { response } = await hookAnswer(fixture, 'PreToolUse', output);
  const specific = response?.['hookSpecificOutput'] as Readonly<Record<string, unknown>> | undefined;
  return specific?.['permissionDecision'] === 'deny' ? specific['permissionDecisionReason'] : undefined;
}
