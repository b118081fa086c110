import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession, type HookTable, type PermissionAnswer } from '@hexagent/sdk';
import { query, type Options } from '@hexagent/sdk/claude-agent-sdk';
import { controlAnswer, controlRequest, runCli, userFrame, type RawFrame } from '@hexagent/testing/cli';
import { startLoopback, toolResults, toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { expectWarnings } from '../support/warnings.ts';

expectWarnings();

/** The call that must never run as it is: its input was changed by a hook or an approver. */
const original = toolUse('Bash', { command: 'touch original' });

class Command {
  readonly #text = 'echo safe';
  get command(): string {
    return this.#text;
  }
}

const lostInputs: readonly (readonly [string, object])[] = [
  ['a Map', new Map([['command', 'echo safe']])],
  ['a class with getters', new Command()],
  ['an object whose toJSON is undefined', { command: 'echo safe', toJSON: () => undefined }],
  ['members that are undefined', { command: undefined }],
  ['nothing', {}],
];

const denial = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } };

const unusable: readonly (readonly [string, unknown])[] = [
  ['a Map', new Map([['permissionDecision', 'deny']])],
  [
    'a changed input that is a class with getters',
    { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: new Command() } },
  ],
  [
    'a changed input that is null',
    { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: null } },
  ],
  ['a denial without its event', { hookSpecificOutput: { permissionDecision: 'deny' } }],
  ['a decision that is misspelt', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'Deny' } }],
  ['an old decision that is misspelt', { decision: 'deny', reason: 'No.' }],
  ['what an approver would answer', { behavior: 'deny', message: 'No.' }],
  ['the text deny', 'deny'],
  ['false', false],
  ['a list', [{ decision: 'block' }]],
  ['a denial beside a field of a wrong type', { ...denial, suppressOutput: 'yes' }],
  ['a denial beside another field of a wrong type', { ...denial, terminalSequence: 5 }],
  ['a denial for which the agent does not wait', { ...denial, async: true }],
  ['a block for which the agent does not wait', { decision: 'block', reason: 'No.', async: true }],
];

/** What Bash answers with. */
const redacted = { stdout: 'redacted', stderr: '', interrupted: false, isImage: false };

const allowing = (updatedInput: object): PermissionAnswer => ({ behavior: 'allow', updatedInput }) as PermissionAnswer; // what only untyped code returns

withCli('A changed input that is lost on the way', () => {
  it.each(lostInputs)('never lets the original run, in a session: %s', async (_, updatedInput) => {
    await using place = await stage([original, 'Done']);
    await using session = await openSession({
      ...place.options,
      onAsk: () => allowing(updatedInput),
    });
    await session.send('go').result;
    expect(existsSync(join(place.home.cwd, 'original'))).toBe(false);
    expect(toolResults(await place.loopback.received(2))).toMatchObject([
      { isError: true, text: expect.stringContaining('updatedInput') },
    ]);
  });

  it.each(lostInputs)('never lets the original run, in a query: %s', async (_, updatedInput) => {
    await using place = await stage([original, 'Done']);
    const options: Options = {
      cwd: place.home.cwd,
      env: { ...place.env },
      pathToClaudeCodeExecutable: cli,
      canUseTool: () => Promise.resolve(allowing(updatedInput) as never), // the official type of the same
    };
    for await (const _message of query({ prompt: 'go', options }));
    expect(existsSync(join(place.home.cwd, 'original'))).toBe(false);
  });
});

withCli('An answer of a hook that the agent cannot use', () => {
  it.each(unusable)('refuses the call, in both faces: %s', async (_, output) => {
    await using place = await stage([original, 'Done', original, 'Done']);
    const hooks: HookTable = { PreToolUse: [{ hooks: [() => output as never] }] };
    await using session = await openSession({ ...place.options, hooks, permissions: { allow: ['Bash'] } });
    await session.send('go').result;
    const options = { cwd: place.home.cwd, env: { ...place.env }, pathToClaudeCodeExecutable: cli };
    const theirs = { ...options, hooks: hooks as never, allowedTools: ['Bash'] };
    for await (const _message of query({ prompt: 'go', options: theirs }));
    expect(existsSync(join(place.home.cwd, 'original'))).toBe(false);
    expect(toolResults(await place.loopback.received(2))).toMatchObject([
      { isError: true, text: expect.stringContaining('cannot use') },
    ]);
  });

  it('blocks the prompt where it was for the prompt', async () => {
    await using place = await stage(['never said']);
    const hooks: HookTable = { UserPromptSubmit: [{ hooks: [() => ({ decision: 'deny' }) as never] }] };
    await using session = await openSession({ ...place.options, hooks });
    expect(await session.send('go').result).toMatchObject({ text: expect.stringContaining('`decision` is "deny"') });
    expect(place.loopback.requests).toEqual([]);
  });

  it.each<[string, object]>([
    [
      '`hookSpecificOutput.sessionTitle` is',
      { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', sessionTitle: 5 } },
    ],
    [
      '`hookSpecificOutput.suppressOriginalPrompt` is',
      { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', suppressOriginalPrompt: 'yes' } },
    ],
    ['`suppressOutput` is', { suppressOutput: 'yes' }],
    ['`async`', { async: true }],
  ])('blocks the prompt although another field is wrong: %s', async (why, more) => {
    await using place = await stage(['never said']);
    const hooks: HookTable = {
      UserPromptSubmit: [{ hooks: [() => ({ decision: 'block', reason: 'No.', ...more }) as never] }],
    };
    await using session = await openSession({ ...place.options, hooks });
    expect(await session.send('go').result).toMatchObject({ text: expect.stringContaining(why) });
    expect(place.loopback.requests).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a misspelt decision', { decision: 'deny' }],
    ['a field of a wrong type', { decision: 'block', reason: 'No.', suppressOutput: 'yes' }],
    ['no wait for it', { decision: 'block', reason: 'No.', async: true }],
    ['a text', 'block'],
  ])('keeps a command from being expanded and a history from being compacted: %s', async (_, answer) => {
    await using place = await stage(() => 'fine');
    await mkdir(join(place.home.cwd, '.claude/commands'), { recursive: true });
    await writeFile(join(place.home.cwd, '.claude/commands/greet.md'), 'Say hello.');
    const hooks: HookTable = {
      UserPromptExpansion: [{ hooks: [() => answer as never] }],
      PreCompact: [{ hooks: [() => answer as never] }],
    };
    await using session = await openSession({ ...place.options, settings: 'project', hooks });
    await session.send('hi').result;
    const asked = place.loopback.requests.length;
    expect(await session.send('/greet').result).toMatchObject({ text: expect.stringContaining('cannot use') });
    const turn = session.send('/compact');
    const failures: unknown[] = [];
    for await (const message of turn)
      if (message.type === 'system' && message.subtype === 'status') failures.push(message.compact_result);
    expect(failures).toContain('failed');
    expect(place.loopback.requests).toHaveLength(asked);
  });

  it('refuses another model where it was for that', async () => {
    await using place = await stage([]);
    const specific = { hookEventName: 'PreModelSwitch', permissionDecision: 'deny', permissionDecisionReason: 'No.' };
    const answers: readonly unknown[] = [
      { hookSpecificOutput: { ...specific, permissionDecision: 'Deny' } },
      { hookSpecificOutput: { ...specific, hookEventName: undefined } },
      { hookSpecificOutput: { ...specific, permissionDecisionReason: 5 } },
      { hookSpecificOutput: specific, suppressOutput: 'yes' },
      { hookSpecificOutput: specific, async: true },
      { permissionDecision: 'deny' },
      { decision: 'deny' },
      'deny',
    ];
    let answer: unknown;
    const hooks: HookTable = { PreModelSwitch: [{ hooks: [() => answer as never] }] };
    await using session = await openSession({ ...place.options, hooks });
    for (answer of answers)
      await expect(session.setModel('claude-sonnet-5'), JSON.stringify(answer)).rejects.toThrow('cannot use');
    answer = {};
    await session.setModel('claude-sonnet-5');
  });

  it.each<[string, object]>([
    ['that is lost on the way', { behavior: 'allow', updatedInput: new Command() }],
    ['that is empty', { behavior: 'allow', updatedInput: {} }],
    ['of no known kind', { behavior: 'approve' }],
    ['with a field of a wrong type', { behavior: 'deny', interrupt: 'yes' }],
  ])('denies where it was for a permission: a decision %s', async (_, decision) => {
    await using place = await stage([original, 'Done']);
    const output = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
    const hooks: HookTable = { PermissionRequest: [{ hooks: [() => output as never] }] };
    // The first answer wins: the approver leaves it to the hook.
    await using session = await openSession({ ...place.options, hooks, onAsk: () => null });
    await session.send('go').result;
    expect(existsSync(join(place.home.cwd, 'original'))).toBe(false);
    expect(toolResults(await place.loopback.received(2))).toMatchObject([
      { isError: true, text: expect.stringContaining('cannot use') },
    ]);
  });

  it.each<[string, unknown, object]>([
    ['by what is lost on the way', new Map([['stdout', 'redacted']]), {}],
    ['in an answer with a field of a wrong type', redacted, { suppressOutput: 'yes' }],
    [
      'in an answer for another event',
      redacted,
      { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedToolOutput: redacted } },
    ],
    ['in an answer for which the agent does not wait', redacted, { async: true }],
  ])('keeps from the model an output that was to be replaced %s', async (_, updatedToolOutput, more) => {
    await using place = await stage([toolUse('Bash', { command: 'echo secret' }), 'never said']);
    const specific = { hookEventName: 'PostToolUse', updatedToolOutput } as const;
    const hooks: HookTable = { PostToolUse: [{ hooks: [() => ({ hookSpecificOutput: specific, ...more })] }] };
    await using session = await openSession({ ...place.options, hooks, permissions: { allow: ['Bash'] } });
    await session.send('go').result;
    expect(place.loopback.requests).toHaveLength(1);
  });
});

/** What the CLI itself makes of it: the reason for the rules above. */
describe('The CLI by itself', () => {
  const run = async (
    event: string,
    answer: object,
    permission: object | undefined,
  ): Promise<{ ran: boolean; asked: RawFrame }> => {
    await using loopback = await startLoopback([original, 'Done']);
    await using agent = await runCli({
      cli,
      loopback,
      args: ['--permission-prompt-tool=stdio'],
      stdinLines: [
        controlRequest('set-up', 'initialize', { hooks: { [event]: [{ hookCallbackIds: ['h'] }] } }),
        userFrame('go'),
      ],
    });
    await agent.send(controlAnswer(await agent.frame('control_request/hook_callback'), answer));
    const asked = await agent.frame('control_request/can_use_tool');
    if (permission !== undefined) await agent.send(controlAnswer(asked, permission));
    await agent.frame('result');
    return { ran: existsSync(join(agent.home.cwd, 'original')), asked };
  };

  withCli('runs the original', () => {
    it('for an empty input', async () => {
      expect(await run('PreToolUse', {}, { behavior: 'allow', updatedInput: {} })).toMatchObject({ ran: true });
    });

    it('for an empty input that a hook gives a permission', async () => {
      const decision = { behavior: 'allow', updatedInput: {} };
      const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
      expect(await run('PermissionRequest', answer, undefined)).toMatchObject({ ran: true });
    });

    // An input that became empty is checked by the CLI itself, and a Map is no answer at all.
    it.each(unusable.slice(2))('after an answer of a hook that it cannot use: %s', async (_, output) => {
      const written = JSON.parse(JSON.stringify(output)) as object; // or something else
      expect(await run('PreToolUse', written, { behavior: 'allow' })).toMatchObject({ ran: true });
    });
  });
});
