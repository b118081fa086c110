import type { Query } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { finishTurn, initMessage, obliging, subtypeOf } from './behaviours.ts';
import { stdinOf } from './comparable.ts';
import { compare, sdks, type Program, type RunRecord, type Sdk } from './run.ts';
import type { Behaviour, WireFrame } from './stand-in.ts';

interface Method {
  readonly name: keyof Query;
  readonly call: (query: Query, sdk: Sdk) => Promise<unknown>;
  /** What the agent answers; the method may read from the introduction instead. */
  readonly payload?: WireFrame;
}

const method = (name: keyof Query, call: Method['call'], payload?: WireFrame): Method =>
  payload === undefined ? { name, call } : { name, call, payload };

const flags = { permissions: { deny: ['Bash'] } };
const resource = { contents: [{ uri: 'ui://x', text: 't' }] };
const change = { added: ['a'], removed: [], errors: {} };

const inProcess = ({ createSdkMcpServer, tool }: Sdk): Parameters<Query['setMcpServers']>[0] => ({
  a: createSdkMcpServer({ name: 'mine', tools: [tool('t', 'd', {}, async () => ({ content: [] }))] }),
  b: { command: 'x', args: [] },
});

/** Each method beside those of a generator; one with several forms more than once. */
const methods: readonly Method[] = [
  method('interrupt', (q) => q.interrupt(), { still_queued: ['u'] }),
  method('interrupt', (q) => Reflect.apply(q.interrupt, q, [{ cancelQueued: true }]), {
    still_queued: ['u', 5],
    cancelled: ['v', null],
    more: 1,
  }),
  method('interrupt', (q) => q.interrupt(), { cancelled: ['v'] }),
  method('setPermissionMode', (q) => q.setPermissionMode('plan'), { mode: 'plan' }),
  method('setMcpPermissionModeOverride', (q) => q.setMcpPermissionModeOverride('a', 'auto'), { warning: 'w' }),
  method('setModel', (q) => q.setModel('m'), { model: 'm' }),
  method('setModel', (q) => q.setModel(), { model: 'm' }),
  method('setMaxThinkingTokens', (q) => q.setMaxThinkingTokens(5, 'summarized'), {}),
  method('setMaxThinkingTokens', (q) => q.setMaxThinkingTokens(null), {}),
  method('applyFlagSettings', (q) => q.applyFlagSettings(flags), { applied: true }),
  method('updateSettings', (q) => q.updateSettings('localSettings', { outputStyle: 'x' }), { done: 1 }),
  method('initializationResult', (q) => q.initializationResult()),
  method('reinitialize', (q) => q.reinitialize(), { commands: [{ name: 'again' }], agents: [], models: [] }),
  method('supportedCommands', (q) => q.supportedCommands()),
  method('supportedModels', (q) => q.supportedModels()),
  method('supportedAgents', (q) => q.supportedAgents()),
  method('mcpServerStatus', (q) => q.mcpServerStatus(), { mcpServers: [{ name: 'a', status: 'connected' }] }),
  method('getContextUsage', (q) => q.getContextUsage(), { totalTokens: 5 }),
  method('getContextUsage', (q) => q.getContextUsage({ detail: 'summary' }), { totalTokens: 5 }),
  method(
    'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET',
    (q) => q.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true }),
    { session: {} },
  ),
  method('readFile', (q) => q.readFile('f', { maxBytes: 5, encoding: 'base64' }), { contents: 'c', absPath: '/f' }),
  method('reloadPlugins', (q) => q.reloadPlugins(), { commands: [], plugins: [] }),
  method('reloadPlugins', (q) => q.reloadPlugins({ holdOnCacheImpact: true, addPlugins: [], refuseIfBusy: false }), {
    plugins: [{ name: 'p' }],
  }),
  method(
    'reloadPlugins',
    (q) => q.reloadPlugins({ addPlugins: [{ type: 'local', path: '/p' }], refuseIfBusy: true }),
    {},
  ),
  method('reloadSkills', (q) => q.reloadSkills(), { skills: [{ name: 's' }] }),
  method('reloadOutputStyles', (q) => q.reloadOutputStyles(), { available_output_styles: ['o'] }),
  method('accountInfo', (q) => q.accountInfo()),
  method('rewindFiles', (q) => q.rewindFiles('u', { dryRun: true }), { canRewind: true, filesChanged: [] }),
  method('rewindFiles', (q) => q.rewindFiles('u'), { canRewind: false, error: 'e' }),
  method('seedReadState', (q) => q.seedReadState('/f', 5), {}),
  method('reconnectMcpServer', (q) => q.reconnectMcpServer('a'), {}),
  method('toggleMcpServer', (q) => q.toggleMcpServer('a', false), {}),
  method('readMcpResource', (q) => q.readMcpResource('a', 'ui://x'), resource),
  method('setMcpServers', (q) => q.setMcpServers({ a: { command: 'x', args: ['y'] } }), change),
  method('setMcpServers', (q, sdk) => q.setMcpServers(inProcess(sdk)), change),
  method('stopTask', (q) => q.stopTask('t'), {}),
  method('backgroundTasks', (q) => q.backgroundTasks(), {}),
  method('backgroundTasks', (q) => q.backgroundTasks('t'), { backgrounded: false }),
];

/** Compared in `stream-input.test.ts` and `endings.test.ts`. */
const elsewhere: readonly (keyof Query)[] = ['streamInput', 'close'];

/** Calls a method in each state that a query can be in, and notes what comes of it. */
const inEachState =
  ({ call }: Method): Program =>
  async (sdk, { options, note }) => {
    const running = sdk.query({ prompt: 'hello', options });
    await running.initializationResult();
    const outcome = async (): Promise<unknown> => await call(running, sdk).catch(toFailure);
    note('answered', await outcome());
    note('refused', await outcome());
    const pending = outcome();
    await running.supportedModels(); // so that the request was sent
    running.close();
    note('pending at the end', await pending);
    note('after the end', await outcome());
  };

function toFailure(error: unknown): object {
  const { message, errorCode } = error as Error & { readonly errorCode?: unknown };
  return { message, errorCode };
}

/** Answers the first request that is not the first `initialize`, refuses the second, and leaves others open. */
function answering({ payload }: Method): Behaviour {
  return (agent) => {
    let asked = 0;
    obliging({
      introduction: { commands: [{ name: 'c' }], models: [{ value: 'm' }], agents: [{ name: 'a' }], account: { a: 1 } },
      message: () => true,
      request: (frame) => {
        asked += 1;
        if (asked === 1) return undefined;
        if (asked === 2) return payload;
        if (asked > 3) return null;
        const response = { subtype: 'error', request_id: frame['request_id'], error: 'No.', error_code: 'some_code' };
        agent.write({ type: 'control_response', response });
        return null;
      },
    })(agent);
  };
}

/** What differs on purpose after the end: a method that asks anew fails in the same words as the others. */
function wanted(record: RunRecord, name: keyof Query): RunRecord['notes'] {
  const { 'after the end': after, ...notes } = record.notes;
  return { ...notes, 'after the end': name === 'reinitialize' ? closed : after };
}

const closed = { message: 'Query closed before response received', errorCode: undefined };

describe('The methods of a query', () => {
  it('are all compared', async () => {
    const { query } = await sdks.official();
    const running = query({ prompt: 'hello', options: { pathToClaudeCodeExecutable: process.execPath } });
    running.close();
    const known = new Set<keyof Query>([...methods.map(({ name }) => name), ...elsewhere]);
    expect([...known].filter((name) => typeof Reflect.get(running, name) !== 'function')).toEqual([]);
    expect(known.size).toBe(30);
  });

  it.each(methods.map((each, index) => [`${String(each.name)} (${index})`, each] as const))(
    'ask, answer and fail as officially: %s',
    async (_, each) => {
      const { official, ours } = await compare(inEachState(each), { standIn: answering(each) });
      expect(wanted(ours, each.name)).toEqual(wanted(official, each.name));
      expect(asked(ours)).toEqual(asked(official));
      expect(asked(ours)).toHaveLength(each.payload === undefined ? 0 : each.name === 'interrupt' ? 2 : 3);
    },
  );
});

/** The requests of the program, without `initialize` of the start. */
function asked({ launches }: RunRecord): readonly WireFrame[] {
  const [, ...frames] = launches.flatMap(stdinOf);
  const requests = frames.filter(({ type }) => type === 'control_request');
  // Ours interrupts the turn that runs when the query is closed.
  return requests.slice(0, 3).filter((frame, index) => index > 0 || subtypeOf(frame) !== 'interrupt');
}

describe('The answer of reinitialize()', () => {
  it('does not replace the introduction that the other methods read', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      const running = query({ prompt: 'hello', options });
      const first = await running.initializationResult();
      note('again', await running.reinitialize());
      note('first', [await running.initializationResult(), await running.supportedCommands()]);
      note('is kept', (await running.initializationResult()) === first);
      return running;
    };
    let count = 0;
    const standIn: Behaviour = (agent) =>
      obliging({
        message: () => true,
        request: (frame) => {
          if (subtypeOf(frame) !== 'initialize') return undefined;
          count += 1;
          if (count % 2 === 0) finishTurn(agent);
          else agent.write(initMessage());
          return { commands: [{ name: `command ${2 - (count % 2)}` }], agents: [], models: [], account: {} };
        },
      })(agent);
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes).toMatchObject({
      again: { commands: [{ name: 'command 2' }] },
      first: [{ commands: [{ name: 'command 1' }] }, [{ name: 'command 1' }]],
    });
    expect(ours.notes).toEqual(official.notes);
  });

  it('has what the agent still waits for asked again, but not what is being answered', async () => {
    const ask = (request_id: string, request: WireFrame): WireFrame => ({
      type: 'control_request',
      request_id,
      request,
    });
    const permission = { subtype: 'can_use_tool', tool_name: 'Bash', input: { a: 1 }, tool_use_id: 't' };
    const dialog = { subtype: 'request_user_dialog', dialog_kind: 'k', payload: {} };
    const hook = { subtype: 'hook_callback', callback_id: 'hook_0', input: {} };
    const program: Program = async ({ query }, { options, note }) => {
      const asked: string[] = [];
      const open = Promise.withResolvers<void>();
      const running = query({
        prompt: 'hello',
        options: {
          ...options,
          supportedDialogKinds: ['k'],
          onUserDialog: async () => ({ behavior: 'cancelled' }),
          canUseTool: async (_, input, { requestId }) => {
            asked.push(requestId);
            if (requestId === 'open') await open.promise;
            return { behavior: 'allow', updatedInput: input };
          },
        },
      });
      await running.initializationResult();
      await running.reinitialize();
      open.resolve();
      await running.setModel('m');
      note('asked', asked);
      return running;
    };
    const standIn: Behaviour = (agent) => {
      let count = 0;
      obliging({
        message: () => true,
        request: ({ request_id, request }) => {
          const { subtype } = request as WireFrame;
          if (subtype === 'set_model') finishTurn(agent);
          if (subtype !== 'initialize') return undefined;
          count += 1;
          if (count === 1) {
            agent.write(ask('open', permission));
            return undefined;
          }
          agent.write({
            type: 'control_response',
            response: {
              subtype: 'success',
              request_id,
              response: { commands: [], agents: [], models: [], account: {} },
              pending_permission_requests: [ask('open', permission), ask('lost', permission), ask('other', hook)],
              pending_user_dialog_requests: [ask('dialog', dialog), ask('misplaced', permission)],
            },
          });
          return null;
        },
      })(agent);
    };
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes).toEqual({ asked: ['open', 'lost'] });
    expect(ours.notes).toEqual(official.notes);
    const answers = ({ launches }: RunRecord): readonly WireFrame[] =>
      launches.flatMap(stdinOf).filter(({ type }) => type === 'control_response');
    expect(answers(ours)).toHaveLength(3);
    expect(answers(ours)).toEqual(expect.arrayContaining([...answers(official)]));
  });
});
