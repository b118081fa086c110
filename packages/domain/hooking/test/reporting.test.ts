import { describe, expect, it } from 'vitest';
import type {
  FeatureControl,
  HookCallback,
  HookOutput,
  HookRequest,
  HookTable,
  ObservedFact,
  Warning,
} from '@hexagent/ports';
import { eventFacts } from '../src/events.ts';
import { createHooks, hooks, hooksFeature, HookService } from '../src/index.ts';

const hook = (): void => {};
const [code, failed] = ['HEXAGENT_HOOK_WITHOUT_EFFECT', 'HEXAGENT_CALLBACK_FAILED'];

/** A conversation with these hooks: what it warns of and observes, and how its agent asks. */
function conversationWith(table: unknown): {
  readonly warnings: readonly Warning[];
  readonly facts: readonly ObservedFact[];
  /** The agent lists its tools. */
  list(tools: readonly string[]): void;
  ask(request: HookRequest): Promise<HookOutput>;
} {
  const warnings: Warning[] = [];
  const facts: ObservedFact[] = [];
  const feature = hooksFeature(new HookService(table as HookTable));
  const control = {
    warn: (warning: Warning) => warnings.push(warning),
    observe: (fact: ObservedFact) => facts.push(fact),
  };
  feature?.attach?.(control as Partial<FeatureControl> as FeatureControl);
  const context = { requestId: 'r', signal: new AbortController().signal };
  return {
    warnings,
    facts,
    list: (tools) => feature?.toolsListed?.(tools),
    ask: async (request) => (await feature?.handlers?.hook_callback?.(request, context)) ?? {},
  };
}

const request: HookRequest = {
  callback_id: 'hook_0',
  input: {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    transcript_path: '',
    cwd: '/w',
    tool_name: 'Bash',
    tool_input: {},
    tool_use_id: 'toolu_1',
  },
};

describe('A matcher that names a tool with a slip of the pen', () => {
  it('is warned of once, when the agent has listed its tools', () => {
    const { warnings, list } = conversationWith({
      PreToolUse: [
        { matcher: 'Bsh|Write', hooks: [hook] },
        { matcher: 'Bsh', hooks: [hook] },
      ],
      Stop: [{ hooks: [hook] }],
    });
    expect(warnings).toEqual([]);
    list(['Bash']);
    const message =
      'The matcher of a hook for PreToolUse names "Bsh", and the agent has no such tool. Did you mean "Bash"?';
    expect(warnings).toEqual([{ code, source: 'matcher of a hook for PreToolUse', message }]);
  });

  it.each(['Bash', 'Task', 'Brandnew', 'mcp__bsh__rn', 'Teleport', 'Bsh.*', '*', ''])(
    'is not one that may be meant: %s',
    (matcher) => {
      const { warnings, list } = conversationWith({ PreToolUse: [{ matcher, hooks: [hook] }] });
      list(['Bash', 'Brandnew']);
      expect(warnings).toEqual([]);
    },
  );
});

describe('A registration that the agent does not follow', () => {
  it.each<readonly [string, unknown, string]>([
    [
      'SessionStart',
      [{ hooks: [hook] }],
      'when a session starts or is resumed, only after /clear and a compaction. For the start use `session.ready`',
    ],
    [
      'SessionStart',
      [
        { matcher: 'clear', hooks: [hook] },
        { matcher: 'startup', hooks: [hook] },
      ],
      'when a session starts',
    ],
    ['SessionStart', [{ matcher: '.*', hooks: [hook] }], 'when a session starts'],
    [
      'SessionEnd',
      [{ hooks: [hook] }],
      'when the agent ends, only at /clear. For the end use `session.exited`, or what follows the loop over query(), or',
    ],
    ['Setup', [{ hooks: [hook] }], 'since it sets a project up before hooks are registered. Set the project up before'],
    [
      'CwdChanged',
      [{ hooks: [hook] }],
      'when a tool changes the folder, by `cd` or by entering a worktree. Read `cwd` in the input',
    ],
    ['TeammateIdle', [{ hooks: [hook] }], 'since it has no teams without a terminal. Use `SubagentStop`.'],
    [
      'FileChanged',
      [{ matcher: 'a.txt', hooks: [hook] }],
      'only for files that a hook for SessionStart named as `watchPaths`',
    ],
    [
      'PreToolUse',
      [{ hooks: [hook] }, { matcher: 'bash', hooks: [hook] }],
      'The matcher of a hook for PreToolUse names "bash"',
    ],
  ])('is warned of once, with what to use instead: %s', (event, matchers, message) => {
    const { warnings } = conversationWith({ [event]: matchers, PostToolUse: [{ hooks: [hook] }] });
    expect(warnings).toEqual([{ code, source: `hook for ${event}`, message: expect.stringContaining(message) }]);
  });

  it.each([
    { SessionStart: [{ matcher: 'clear|compact', hooks: [hook] }] },
    { SessionEnd: [{ matcher: 'clear', hooks: [hook] }] },
    { SessionStart: [{ matcher: 'clear', hooks: [hook] }], FileChanged: [{ hooks: [hook] }] },
    { NextYearsEvent: [{ matcher: '[', hooks: [hook] }] },
    { Setup: [{ hooks: [] }], Stop: [{ hooks: [hook] }] },
  ])('is not seen in one that the agent follows, or that has no hook: %o', (table) => {
    expect(conversationWith(table).warnings).toEqual([]);
  });

  it('is not given for other events', () => {
    const silent = ['SessionStart', 'SessionEnd', 'Setup', 'CwdChanged', 'TeammateIdle', 'FileChanged'];
    const others = Object.keys(eventFacts).filter((event) => !silent.includes(event));
    expect(conversationWith(Object.fromEntries(others.map((event) => [event, [{ hooks: [hook] }]]))).warnings).toEqual(
      [],
    );
  });
});

describe('An answer that the agent does not follow', () => {
  const answering = (...answers: unknown[]): HookTable => ({
    PreToolUse: answers.map((answer) => ({ hooks: [(() => answer) as HookCallback<'PreToolUse'>] })),
  });

  it('is `continue: false` before a tool, which runs nevertheless: it is warned of once', async () => {
    const { warnings, ask } = conversationWith(answering({ continue: false }));
    expect(warnings).toEqual([]);
    expect(await ask(request)).toEqual({ continue: false });
    await ask(request);
    const message = expect.stringContaining('the turn ends, and yet the tool runs. To stop the tool, deny the call.');
    expect(warnings).toEqual([{ code, source: 'answer of a hook for PreToolUse', message }]);
  });

  it.each<unknown>([
    { continue: true },
    {},
    { continue: false, decision: 'block', reason: 'no' },
    { continue: false, hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } },
    null,
    'deny',
    new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Error('unread');
        },
      },
    ),
  ])('is not warned of where it denies, or answers something else', async (answer) => {
    const { warnings, ask } = conversationWith(answering(answer));
    await ask(request);
    expect(warnings).toEqual([]);
  });

  it('is checked without reading a getter: each is read once, when the answer is sent', async () => {
    let reads = 0;
    const answer = {
      get continue() {
        return (reads += 1) > 5;
      },
      get hookSpecificOutput() {
        reads += 1;
        return undefined;
      },
    };
    await conversationWith(answering(answer)).ask(request);
    expect(reads).toBe(0);
  });
});

describe('A failure that the answer does not show', () => {
  it('is observed and warned of', async () => {
    const broken = new Error('broken');
    const { warnings, facts, ask } = conversationWith(
      createHooks().on(
        'PreToolUse',
        hooks.validate(() => {
          throw broken;
        }),
      ),
    );
    expect(await ask(request)).toHaveProperty('hookSpecificOutput.permissionDecision', 'deny');
    expect(facts).toEqual([{ kind: 'callback_failed', subtype: 'hook_callback', error: broken }]);
    const source = 'hook for PreToolUse';
    const message = 'The hook for PreToolUse failed, and reported it: broken';
    expect(warnings).toEqual([{ code: failed, source, message, cause: broken }]);
  });

  it('can be reported by any hook', async () => {
    const { warnings, ask } = conversationWith({
      PreToolUse: [{ hooks: [((_input, _id, { report }) => report?.('odd')) satisfies HookCallback<'PreToolUse'>] }],
    });
    expect(await ask(request)).toEqual({});
    expect(warnings).toEqual([expect.objectContaining({ code: failed, cause: 'odd' })]);
  });
});

describe('The context of a hook', () => {
  it('has the signal, which a copy has too, and nothing else that can be enumerated', async () => {
    const context = { requestId: 'r', signal: new AbortController().signal };
    const seen: unknown[] = [];
    const reading: HookCallback<'PreToolUse'> = (_input, _id, given) => void seen.push({ ...given });
    const feature = hooksFeature(new HookService({ PreToolUse: [{ hooks: [reading] }] }));
    await feature?.handlers?.hook_callback?.(request, context);
    expect(seen).toEqual([{ signal: context.signal }]);
  });
});
