import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AskHandler,
  createHooks,
  createSdk,
  toolResultsOf,
  type AgentMessage,
  type HookInputOf,
  type HookOutput,
  type PermissionRequest,
  type Session,
  type TurnOutcome,
} from '@hexagent/sdk';
import { toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

type Answer<
  Event extends 'PreToolUse' | 'PostToolUse' | 'UserPromptSubmit' | 'Stop' | 'PermissionRequest' | 'PreModelSwitch',
> = (input: HookInputOf<Event>, signal: AbortSignal) => HookOutput<Event> | void | Promise<HookOutput<Event> | void>;

/** What the hooks of the shared session answer, until a test replaces it. */
interface Answers {
  before?: Answer<'PreToolUse'>;
  beforeStrictly?: Answer<'PreToolUse'>;
  after?: Answer<'PostToolUse'>;
  prompt?: Answer<'UserPromptSubmit'>;
  stop?: Answer<'Stop'>;
  permission?: Answer<'PermissionRequest'>;
  model?: Answer<'PreModelSwitch'>;
}

const before = (
  specific: Omit<
    NonNullable<Extract<HookOutput<'PreToolUse'>, { hookSpecificOutput?: unknown }>['hookSpecificOutput']>,
    'hookEventName'
  >,
): HookOutput<'PreToolUse'> => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific },
});

withCli('The agent follows what a hook answers:', () => {
  let place: Stage;
  let session: Session;
  let answers: Answers = {};
  let asked: PermissionRequest[] = [];
  const warnings: string[] = [];
  const failures: unknown[] = [];

  beforeAll(async () => {
    place = await stage(touching);
    const set = createHooks()
      .on('PreToolUse', ({ request, signal }) => answers.before?.(request, signal))
      .on('PreToolUse', ({ request, signal }) => answers.beforeStrictly?.(request, signal), {
        onFailure: 'block',
        timeout: 1,
      })
      .on('PostToolUse', ({ request, signal }) => answers.after?.(request, signal))
      .on('UserPromptSubmit', ({ request, signal }) => answers.prompt?.(request, signal))
      .on('Stop', ({ request, signal }) => answers.stop?.(request, signal))
      .on('PermissionRequest', ({ request, signal }) => answers.permission?.(request, signal))
      .on('PreModelSwitch', ({ request, signal }) => answers.model?.(request, signal));
    const onAsk: AskHandler = (ask) => {
      if (ask.kind === 'call') asked.push(ask.request);
      return { behavior: 'allow' };
    };
    const sdk = createSdk({
      onWarning: ({ code, message }) => warnings.push(`${code} ${message}`),
      observer: { observe: (event) => void (event.kind === 'callback_failed' && failures.push(event.error)) },
    });
    session = await sdk.openSession({ ...place.options, onAsk, hooks: set });
  });

  afterAll(async () => {
    await session.close();
    await place[Symbol.asyncDispose]();
  });

  /** One turn, in which the agent runs `touch` with this file. */
  async function touch(
    file: string,
    given: Answers,
  ): Promise<{
    readonly ran: boolean;
    readonly outcome: TurnOutcome;
    readonly messages: readonly AgentMessage[];
    /** What the model was sent last. */
    readonly sent: string;
  }> {
    answers = given;
    asked = [];
    warnings.length = 0;
    failures.length = 0;
    const turn = session.send(`touch ${file}`);
    const messages: AgentMessage[] = [];
    for await (const message of turn) messages.push(message);
    const outcome = await turn.result;
    answers = {};
    const sent = JSON.stringify(place.loopback.requests.at(-1)?.body.messages);
    return { ran: has(file), outcome, messages, sent };
  }

  const has = (file: string): boolean => existsSync(join(place.home.cwd, file));

  it('nothing, and the call is decided about as ever', async () => {
    expect(await touch('plain', { before: () => {} })).toMatchObject({ ran: true, outcome: { kind: 'completed' } });
    expect(asked).toHaveLength(1);
  });

  it('a denial, whose reason the model reads', async () => {
    const denied = before({ permissionDecision: 'deny', permissionDecisionReason: 'Policy says no.' });
    const { ran, outcome } = await touch('denied', { before: () => denied });
    expect(ran).toBe(false);
    expect(outcome).toMatchObject({ text: 'PreToolUse:Bash hook error: Policy says no.' });
    expect(asked).toEqual([]);
  });

  it('an old denial', async () => {
    expect(await touch('blocked', { before: () => ({ decision: 'block', reason: 'No.' }) })).toMatchObject({
      ran: false,
    });
  });

  it('an allowance with another input, a context for the model and a message for a person', async () => {
    const answer = before({
      permissionDecision: 'allow',
      updatedInput: { command: 'touch swapped' },
      additionalContext: 'CONTEXT-1',
    });
    const { ran, messages, sent } = await touch('original', {
      before: () => ({ ...answer, systemMessage: 'Swapped.' }),
    });
    expect([ran, has('swapped')]).toEqual([false, true]);
    expect(asked).toEqual([]);
    expect(sent).toContain('CONTEXT-1');
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: 'informational', content: expect.stringContaining('Swapped.') }),
    );
  });

  it('another input alone, which needs permission and is what the hooks after the tool receive', async () => {
    const after: unknown[] = [];
    const { ran } = await touch('first', {
      before: () => before({ updatedInput: { command: 'touch second' } }),
      after: ({ tool_input }) => void after.push(tool_input),
    });
    expect([ran, has('second')]).toEqual([false, true]);
    expect(asked).toMatchObject([{ input: { command: 'touch second' } }]);
    expect(after).toEqual([{ command: 'touch second' }]);
  });

  it('a question to the approver, with the reason', async () => {
    const answer = before({ permissionDecision: 'ask', permissionDecisionReason: 'Please confirm.' });
    expect(await touch('confirmed', { before: () => answer })).toMatchObject({ ran: true });
    expect(asked).toMatchObject([
      { decision_reason: 'Please confirm.', decision_reason_type: 'hook', decision_reason_hook_event: 'PreToolUse' },
    ]);
  });

  it('the strictest of several decisions', async () => {
    const strict = before({ permissionDecision: 'deny', permissionDecisionReason: 'No.' });
    const both = { before: () => before({ permissionDecision: 'allow' }), beforeStrictly: () => strict };
    expect(await touch('both', both)).toMatchObject({ ran: false });
  });

  it('`continue: false` before a tool, after which the tool runs and the turn ends: the program is warned', async () => {
    const { ran, messages } = await touch('halted', { before: () => ({ continue: false, stopReason: 'Halted.' }) });
    expect(ran).toBe(true);
    expect(messages.at(-1)).toMatchObject({ terminal_reason: 'hook_stopped' });
    expect(warnings).toEqual([expect.stringMatching(/^HEXAGENT_HOOK_WITHOUT_EFFECT .*and yet the tool runs/)]);
  });

  it('a failure, which by default changes nothing but is observed and warned of', async () => {
    const broken = (): never => {
      throw new Error('hook broke');
    };
    expect(await touch('failing', { before: broken })).toMatchObject({ ran: true });
    expect(failures).toEqual([new Error('hook broke')]);
    expect(warnings).toEqual([expect.stringMatching(/^HEXAGENT_CALLBACK_FAILED .*hook broke$/)]);
  });

  it('#36 a failure of a hook with `onFailure: "block"`, which refuses the call', async () => {
    const { ran, messages } = await touch('blocking', {
      beforeStrictly: () => Promise.reject(new Error('hook broke')),
    });
    expect(ran).toBe(false);
    expect(messages).toContainEqual(expect.objectContaining({ tag: 'hook_callback_failed' }));
    expect(failures).toEqual([new Error('hook broke')]);
    expect(warnings).toEqual([expect.stringMatching(/^HEXAGENT_CALLBACK_FAILED .*hook broke$/)]);
  });

  it('#36 #57 nothing within the `timeout`, which aborts the signal and refuses the call', async () => {
    const aborted = Promise.withResolvers<void>();
    const { ran } = await touch('late', {
      beforeStrictly: async (_, signal) => {
        signal.addEventListener('abort', () => aborted.resolve());
        await aborted.promise;
      },
    });
    await aborted.promise;
    expect(ran).toBe(false);
  });

  it('#57 nothing before the turn is interrupted, which aborts the signal and refuses the call', async () => {
    const called = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    answers = {
      before: async (_, signal) => {
        signal.addEventListener('abort', () => aborted.resolve());
        called.resolve();
        await aborted.promise;
      },
    };
    const turn = session.send('touch interrupted');
    await called.promise;
    expect(await turn.interrupt()).toBe('interrupted');
    await aborted.promise;
    expect(has('interrupted')).toBe(false);
  });

  it('`async`, for which the agent does not wait', async () => {
    const { ran } = await touch('meanwhile', { before: () => ({ async: true, asyncTimeout: 5 }) });
    expect(ran).toBe(true);
  });

  it('after a tool: a reason and a context for the model, and another output', async () => {
    const blocked = { hookEventName: 'PostToolUse', additionalContext: 'CONTEXT-2' } as const;
    const { sent } = await touch('post', {
      after: () => ({ decision: 'block', reason: 'REASON-2', hookSpecificOutput: blocked }),
    });
    expect(sent).toContain('REASON-2');
    expect(sent).toContain('CONTEXT-2');
    const updatedToolOutput = { stdout: 'REPLACED', stderr: '', interrupted: false, isImage: false };
    const replaced = { hookEventName: 'PostToolUse', updatedToolOutput } as const;
    const replacing = await touch('out', { after: () => ({ hookSpecificOutput: replaced }) });
    expect(replacing.sent).toContain('REPLACED');
    expect(replacing.messages.flatMap(toolResultsOf)).toMatchObject([{ content: 'REPLACED' }]);
  });

  it('to a prompt: a context for the model, or a block, after which the model is not asked', async () => {
    const context = { hookEventName: 'UserPromptSubmit', additionalContext: 'CONTEXT-3' } as const;
    expect((await touch('more', { prompt: () => ({ hookSpecificOutput: context }) })).sent).toContain('CONTEXT-3');
    const count = place.loopback.requests.length;
    const { outcome } = await touch('never', { prompt: () => ({ decision: 'block', reason: 'Prompt refused.' }) });
    expect(outcome).toMatchObject({ kind: 'completed', text: expect.stringContaining('Prompt refused.') });
    expect(place.loopback.requests).toHaveLength(count);
  });

  it('to the end of a turn: a reason to continue, after which the hook receives that it has been active', async () => {
    const active: boolean[] = [];
    const { sent } = await touch('on', {
      stop: ({ stop_hook_active }) => {
        active.push(stop_hook_active);
        return stop_hook_active ? {} : { decision: 'block', reason: 'KEEP-GOING' };
      },
    });
    expect(active).toEqual([false, true]);
    expect(sent).toContain('KEEP-GOING');
  });

  it('to a permission request: a decision, if the approver has none yet', async () => {
    const decision = { behavior: 'allow' } as const;
    const answer: HookOutput<'PermissionRequest'> = {
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
    };
    const requested: unknown[] = [];
    const { ran } = await touch('requested', {
      permission: ({ tool_input }) => {
        requested.push(tool_input);
        return answer;
      },
    });
    expect(ran).toBe(true);
    expect(requested).toEqual([{ command: 'touch requested' }]);
  });

  it('to another model: a denial, with which `setModel()` rejects', async () => {
    const specific = {
      hookEventName: 'PreModelSwitch',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Too dear.',
    } as const;
    answers = { model: () => ({ hookSpecificOutput: specific }) };
    await expect(session.setModel('claude-sonnet-5')).rejects.toThrow('Too dear.');
  });

  it('`defer`, which ends the turn with the call', async () => {
    const { ran, messages } = await touch('deferred', { before: () => before({ permissionDecision: 'defer' }) });
    expect(ran).toBe(false);
    expect(messages.at(-1)).toMatchObject({
      terminal_reason: 'tool_deferred',
      deferred_tool_use: { name: 'Bash', input: { command: 'touch deferred' } },
    });
  });
});

/** Calls Bash with the newest prompt, and then repeats what came of it. */
function touching(request: ModelRequest): TurnLike {
  const history = JSON.stringify(request.body.messages);
  const command =
    [...history.matchAll(/touch \w+/g)].findLast(([text]) => history.includes(`"text":"${text}"`))?.[0] ?? '';
  // What a turn that was ended early has left behind comes with the next prompt.
  if (!history.includes(`"input":{"command":"${command}"`)) return toolUse('Bash', { command });
  return (
    toolResults(request)
      .map(({ text }) => text)
      .join('; ') || 'done'
  );
}
