import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession, type HookTable, type PermissionAnswer } from '@hexagent/sdk';
import { query, type Options } from '@hexagent/sdk/claude-agent-sdk';
import { controlAnswer, controlRequest, runCli, userFrame } from '@hexagent/testing/cli';
import { startLoopback, toolResults, toolUse, type Script } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
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

type Cases = readonly (readonly [string, unknown])[];

/** A model that makes the call once for each case, one after the other. */
const callFor = (cases: Cases): Script => [...cases.map(() => original), 'Done'];

/** Gives the value of the next case at each call. */
function eachOf(cases: Cases): () => unknown {
  const values = cases.map(([, value]) => value).values();
  return () => values.next().value;
}

/** What the model read of the call of each case. */
function resultsOf({ loopback }: Stage, cases: Cases): readonly unknown[] {
  const results = loopback.requests.flatMap((request) => toolResults(request));
  expect(results).toHaveLength(cases.length);
  return cases.map(([what], index) => [what, results[index]]);
}

const refused = (cases: Cases, why: string): readonly unknown[] =>
  cases.map(([what]) => [what, expect.objectContaining({ isError: true, text: expect.stringContaining(why) })]);

async function readQuery({ home, env }: Stage, options: Options): Promise<void> {
  const agent = { cwd: home.cwd, env: { ...env }, pathToClaudeCodeExecutable: cli };
  for await (const _message of query({ prompt: 'go', options: { ...agent, ...options } }));
}

const hasRun = ({ home }: Pick<Stage, 'home'>): boolean => existsSync(join(home.cwd, 'original'));

withCli('A changed input that is lost on the way', () => {
  it.each(['session', 'query'])('never lets the original run, in a %s', async (face) => {
    await using place = await stage(callFor(lostInputs));
    const next = eachOf(lostInputs);
    const answer = () => allowing(next() as object);
    if (face === 'query') await readQuery(place, { canUseTool: async () => answer() as never }); // the official type of the same
    else {
      await using session = await openSession({ ...place.options, onAsk: answer });
      await session.send('go').result;
    }
    expect(hasRun(place)).toBe(false);
    expect(resultsOf(place, lostInputs)).toEqual(refused(lostInputs, 'updatedInput'));
  });
});

withCli('An answer of a hook that the agent cannot use', () => {
  it.each(['session', 'query'])('refuses the call, in a %s', async (face) => {
    await using place = await stage(callFor(unusable));
    const next = eachOf(unusable);
    const hooks = { PreToolUse: [{ hooks: [() => next() as never] }] };
    if (face === 'query') await readQuery(place, { hooks, allowedTools: ['Bash'] });
    else {
      await using session = await openSession({ ...place.options, hooks, permissions: { allow: ['Bash'] } });
      await session.send('go').result;
    }
    expect(hasRun(place)).toBe(false);
    expect(resultsOf(place, unusable)).toEqual(refused(unusable, 'cannot use'));
  });

  it('blocks the prompt where it was for the prompt, also although another field is wrong', async () => {
    await using place = await stage(['never said']);
    const specific = { hookEventName: 'UserPromptSubmit' };
    const blocking = { decision: 'block', reason: 'No.' };
    const answers: Readonly<Record<string, object>> = {
      '`decision` is "deny"': { decision: 'deny' },
      '`hookSpecificOutput.sessionTitle` is': { ...blocking, hookSpecificOutput: { ...specific, sessionTitle: 5 } },
      '`hookSpecificOutput.suppressOriginalPrompt` is': {
        ...blocking,
        hookSpecificOutput: { ...specific, suppressOriginalPrompt: 'yes' },
      },
      '`suppressOutput` is': { ...blocking, suppressOutput: 'yes' },
      '`async`': { ...blocking, async: true },
    };
    const next = eachOf(Object.entries(answers));
    const hooks: HookTable = { UserPromptSubmit: [{ hooks: [() => next() as never] }] };
    await using session = await openSession({ ...place.options, hooks });
    for (const why of Object.keys(answers))
      expect(await session.send('go').result).toMatchObject({ text: expect.stringContaining(why) });
    expect(place.loopback.requests).toEqual([]);
  });

  it('keeps a command from being expanded and a history from being compacted', async () => {
    const answers: readonly unknown[] = [
      { decision: 'deny' },
      { decision: 'block', reason: 'No.', suppressOutput: 'yes' },
      { decision: 'block', reason: 'No.', async: true },
      'block',
    ];
    await using place = await stage(() => 'fine');
    await mkdir(join(place.home.cwd, '.claude/commands'), { recursive: true });
    await writeFile(join(place.home.cwd, '.claude/commands/greet.md'), 'Say hello.');
    let answer: unknown;
    const hooks: HookTable = {
      UserPromptExpansion: [{ hooks: [() => answer as never] }],
      PreCompact: [{ hooks: [() => answer as never] }],
    };
    await using session = await openSession({ ...place.options, settings: 'project', hooks });
    await session.send('hi').result;
    const asked = place.loopback.requests.length;
    for (answer of answers) {
      const why = JSON.stringify(answer);
      const expanded = await session.send('/greet').result;
      expect(expanded, why).toMatchObject({ text: expect.stringContaining('cannot use') });
      const failures: unknown[] = [];
      for await (const message of session.send('/compact'))
        if (message.type === 'system' && message.subtype === 'status') failures.push(message.compact_result);
      expect(failures, why).toContain('failed');
      expect(place.loopback.requests, why).toHaveLength(asked);
    }
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

  it('denies where it was for a permission', async () => {
    const decisions: Cases = [
      ['one that is lost on the way', { behavior: 'allow', updatedInput: new Command() }],
      ['one that is empty', { behavior: 'allow', updatedInput: {} }],
      ['one of no known kind', { behavior: 'approve' }],
      ['one with a field of a wrong type', { behavior: 'deny', interrupt: 'yes' }],
    ];
    await using place = await stage(callFor(decisions));
    const next = eachOf(decisions);
    const output = (): unknown => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: next() } });
    const hooks: HookTable = { PermissionRequest: [{ hooks: [() => output() as never] }] };
    // The first answer wins: the approver leaves it to the hook.
    await using session = await openSession({ ...place.options, hooks, onAsk: () => null });
    await session.send('go').result;
    expect(hasRun(place)).toBe(false);
    expect(resultsOf(place, decisions)).toEqual(refused(decisions, 'cannot use'));
  });

  it('keeps from the model an output that was to be replaced', async () => {
    const specific = { hookEventName: 'PostToolUse', updatedToolOutput: redacted };
    const answers: readonly object[] = [
      { hookSpecificOutput: { ...specific, updatedToolOutput: new Map([['stdout', 'redacted']]) } },
      { hookSpecificOutput: specific, suppressOutput: 'yes' },
      { hookSpecificOutput: { ...specific, hookEventName: 'PreToolUse' } },
      { hookSpecificOutput: specific, async: true },
    ];
    await using place = await stage(() => toolUse('Bash', { command: 'echo secret-$((40 + 2))' }));
    let answer: object;
    const hooks: HookTable = { PostToolUse: [{ hooks: [() => answer] }] };
    await using session = await openSession({ ...place.options, hooks, permissions: { allow: ['Bash'] } });
    for (answer of answers) {
      await session.send('go').result;
      await session.send('/clear').result; // of what it read once, the next turn would contain more
    }
    expect(place.loopback.requests).toHaveLength(answers.length);
    expect(JSON.stringify(place.loopback.requests).includes('secret-42')).toBe(false);
  });
});

/** What the CLI itself makes of it: the reason for the rules above. */
describe('The CLI by itself', () => {
  /** The cases after whose answer, and whose permission, it did not run the call. */
  const notRun = async (event: string, cases: Cases, permission: object | undefined): Promise<readonly string[]> => {
    const touches = cases.map((_, index) => toolUse('Bash', { command: `touch made-${index}` }));
    await using loopback = await startLoopback([...touches, 'Done']);
    await using agent = await runCli({
      cli,
      loopback,
      args: ['--permission-prompt-tool=stdio'],
      stdinLines: [
        controlRequest('set-up', 'initialize', { hooks: { [event]: [{ hookCallbackIds: ['h'] }] } }),
        userFrame('go'),
      ],
    });
    for (const [, answer] of cases) {
      await agent.send(controlAnswer(await agent.frame('control_request/hook_callback'), answer as object));
      const asked = await agent.frame('control_request/can_use_tool');
      if (permission !== undefined) await agent.send(controlAnswer(asked, permission));
    }
    await agent.frame('result');
    const made = (index: number): boolean => existsSync(join(agent.home.cwd, `made-${index}`));
    return cases.filter((_, index) => !made(index)).map(([what]) => what);
  };

  withCli('runs the original', () => {
    const empty = { behavior: 'allow', updatedInput: {} };

    it('for an empty input', async () => {
      expect(await notRun('PreToolUse', [['an empty input', {}]], empty)).toEqual([]);
    });

    it('for an empty input that a hook gives a permission', async () => {
      const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: empty } };
      expect(await notRun('PermissionRequest', [['an empty input', answer]], undefined)).toEqual([]);
    });

    it('after an answer of a hook that it cannot use', async () => {
      // An input that became empty is checked by the CLI itself, and a Map is no answer at all.
      const written = unusable.slice(2).map(([what, output]) => [what, JSON.parse(JSON.stringify(output))] as const);
      expect(await notRun('PreToolUse', written, { behavior: 'allow' })).toEqual([]);
    });
  });
});
