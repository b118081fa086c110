import { readdirSync } from 'node:fs';
import {
  createHooks,
  createSdk,
  hooks,
  type AuditRecord,
  type HookInputOf,
  type HookSet,
  type Subagent,
} from '@hexagent/sdk';
import { createQuery } from '@hexagent/sdk/claude-agent-sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { byPrompt } from '../support/by-prompt.ts';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

interface Run {
  /** The files that the agent has made. */
  readonly made: readonly string[];
  /** The result of the call that the model received. */
  readonly resultText: string;
  readonly asked: readonly unknown[];
  readonly warned: readonly string[];
}

const touch = (file: string): ReturnType<typeof toolUse> => toolUse('Bash', { command: `touch ${file}` });
const delegating = toolUse('Agent', {
  description: 'd',
  prompt: 'touch it',
  subagent_type: 'maker',
  run_in_background: false,
});
const maker: Subagent = { description: 'Makes files.', prompt: 'You make files.' };

/** A turn in which the agent is to make a file for each of the hooks. */
const all = ['allowed', 'denied', 'modified', 'refused', 'valid'] as const;
const turns = { 'touch it': touch('made'), 'touch all': all.map(touch), 'delegate it': delegating };

/** One turn of a session, in which the agent makes the file `made`, itself or by a subagent. */
async function session(set: HookSet, { deny = [] as string[], prompt = 'touch it' } = {}): Promise<Run> {
  await using place = await stage(byPrompt(turns));
  const [asked, warned]: [unknown[], string[]] = [[], []];
  const sdk = createSdk({ onWarning: ({ code }) => warned.push(code) });
  await using opened = await sdk.openSession({
    ...place.options,
    agents: { maker },
    permissions: { deny },
    onAsk: ({ input }) => (asked.push(input), { behavior: 'allow' }),
    hooks: set,
  });
  const outcome = await opened.send(prompt).result;
  const resultText = outcome.kind === 'completed' ? outcome.text : outcome.kind;
  return { made: readdirSync(place.home.cwd), resultText, asked, warned };
}

/** The same by the drop-in. */
async function query(set: HookSet, { prompt = 'touch it' } = {}): Promise<Run> {
  await using place = await stage(byPrompt(turns));
  const [asked, warned]: [unknown[], string[]] = [[], []];
  let resultText = '';
  const asking = createQuery({ onWarning: ({ code }) => warned.push(code) })({
    prompt,
    options: {
      cwd: place.home.cwd,
      env: { ...place.env },
      pathToClaudeCodeExecutable: cli,
      canUseTool: async (_, input) => (asked.push(input), { behavior: 'allow' }),
      hooks: set,
    },
  });
  for await (const message of asking)
    if (message.type === 'result' && message.subtype === 'success') resultText = message.result;
  return { made: readdirSync(place.home.cwd), resultText, asked, warned };
}

type Hook = ReturnType<typeof hooks.deny>;
const before = (hook: Hook): HookSet => createHooks().on('PreToolUse', 'Bash', hook);

withCli.each([
  ['session', session],
  ['query', query],
])('In a %s', (_, run) => {
  it('#36 each answers for a call: allow(), deny() with the reason, modify(), and validate() with a reason or none', async () => {
    const of: Readonly<Record<(typeof all)[number], Hook>> = {
      allowed: hooks.allow(),
      denied: hooks.deny('No files today.'),
      // It leaves the request for permission.
      modified: hooks.modify((input) => ({ ...input, command: `${String(input['command'])}-2` })),
      refused: hooks.validate(({ command }) => (command === 'touch refused' ? 'Not this file.' : undefined)),
      valid: hooks.validate(() => true),
    };
    const set = createHooks().on('PreToolUse', 'Bash', (call) => {
      const name = all.find((each) => JSON.stringify(call.input).includes(`touch ${each}`));
      return name === undefined ? {} : of[name](call);
    });
    const { made, asked, warned, resultText } = await run(set, { prompt: 'touch all' });
    expect(made.toSorted()).toEqual(['allowed', 'modified-2', 'valid']);
    expect(asked).toMatchObject([{ command: 'touch modified-2' }, { command: 'touch valid' }]);
    expect(warned).toEqual([]);
    expect(resultText).toContain('No files today.');
    expect(resultText).toContain('Not this file.');
  });

  it('two hooks that change a call let it not run: the agent would drop one change', async () => {
    const other = createHooks().on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'touch other' } },
    }));
    const { made, resultText } = await run(
      createHooks(before(hooks.modify((input) => ({ ...input, timeout: 9 }))), other),
    );
    expect(made).toEqual([]);
    expect(resultText).toContain('Two hooks changed the input of this call');
  });

  it('hooks.log() and hooks.audit() pass on what happens', async () => {
    const inputs: HookInputOf[] = [];
    const records: AuditRecord[] = [];
    const log = hooks.log((input) => inputs.push(input));
    const set = createHooks(hooks.audit((record) => records.push(record)))
      .on('UserPromptSubmit', log)
      .on('Stop', log);
    expect(await run(set)).toMatchObject({ made: ['made'], warned: [] });
    expect(inputs.map((input) => input.hook_event_name)).toEqual(['UserPromptSubmit', 'Stop']);
    const about = { tool: 'Bash', input: { command: 'touch made' } };
    expect(records).toMatchObject([
      { outcome: 'called', ...about },
      { outcome: 'ran', ...about, durationMs: expect.any(Number) },
    ]);
    expect(new Set(records.map(({ toolUseId }) => toolUseId)).size).toBe(1);
  });

  it('hooks.onlyTools() and hooks.withoutTools() refuse the other tools, or these', async () => {
    expect(await run(hooks.onlyTools('Read'))).toMatchObject({
      made: [],
      asked: [],
      resultText: expect.stringContaining('Read'),
    });
    expect(await run(hooks.withoutTools('Bash'))).toMatchObject({ made: [], asked: [] });
    expect(await run(createHooks(hooks.onlyTools('Bash'), hooks.withoutTools('Read')))).toMatchObject({
      made: ['made'],
    });
  });
});

withCli('A ready-made hook:', () => {
  it('hooks.allow() allows nothing that a rule denies', async () => {
    expect(await session(before(hooks.allow()), { deny: ['Bash(touch *)'] })).toMatchObject({ made: [] });
  });

  it('hooks.onlyTools() and hooks.withoutTools() hold in a subagent', async () => {
    const prompt = 'delegate it';
    expect(await session(createHooks(), { prompt })).toMatchObject({ made: ['made'] });
    expect(await session(hooks.withoutTools('Bash'), { prompt })).toMatchObject({ made: [] });
    expect(await session(hooks.onlyTools('Task', 'Read'), { prompt })).toMatchObject({ made: [] });
  });
});
