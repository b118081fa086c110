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

/** One turn of a session, in which the agent makes the file `made`, itself or by a subagent. */
async function session(set: HookSet, { deny = [] as string[], prompt = 'touch it' } = {}): Promise<Run> {
  await using place = await stage(byPrompt({ 'touch it': touch('made'), 'delegate it': delegating }));
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
async function query(set: HookSet): Promise<Run> {
  await using place = await stage(byPrompt({ 'touch it': touch('made') }));
  const [asked, warned]: [unknown[], string[]] = [[], []];
  let resultText = '';
  const asking = createQuery({ onWarning: ({ code }) => warned.push(code) })({
    prompt: 'touch it',
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

const before = (hook: ReturnType<typeof hooks.deny>): HookSet => createHooks().on('PreToolUse', 'Bash', hook);

withCli.each([
  ['session', session],
  ['query', query],
])('In a %s', (_, run) => {
  it('hooks.allow() lets a call run unasked', async () => {
    expect(await run(before(hooks.allow()))).toMatchObject({ made: ['made'], asked: [], warned: [] });
  });

  it('hooks.deny() refuses it, with the reason', async () => {
    const { made, resultText, asked } = await run(before(hooks.deny('No files today.')));
    expect([made, asked]).toEqual([[], []]);
    expect(resultText).toContain('No files today.');
  });

  it('#36 hooks.modify() changes what runs, and leaves the request for permission', async () => {
    const hook = hooks.modify((input) => ({ ...input, command: `${String(input['command'])}-2` }));
    expect(await run(before(hook))).toMatchObject({
      made: ['made-2'],
      asked: [{ command: 'touch made-2' }],
      warned: [],
    });
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

  it('hooks.validate() refuses with a reason, or lets the call continue', async () => {
    const no = await run(
      before(hooks.validate(({ command }) => (command === 'touch made' ? 'Not this file.' : undefined))),
    );
    expect(no.made).toEqual([]);
    expect(no.resultText).toContain('Not this file.');
    expect(await run(before(hooks.validate(() => true)))).toMatchObject({ made: ['made'], warned: [] });
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
