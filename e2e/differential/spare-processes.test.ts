import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options, SpareProcess } from '@anthropic-ai/claude-agent-sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { obliging, subtypeOf } from './behaviours.ts';
import { flagsOf, stdinOf } from './comparable.ts';
import { failsAlike, failureOf, messageOf } from './failing-alike.ts';
import { runReal } from './real.ts';
import { compare, run, sides, type Place, type Program, type RunRecord } from './run.ts';
import type { Behaviour, WireFrame } from './stand-in.ts';

type ClaimOptions = Parameters<SpareProcess['claim']>[0]['options'];

/** The options of the agent without the folder of a session, so that it is parked in one of its own. */
const parked = ({ options: { cwd: _, ...options } }: Place): Options => options;

const requestOf = (frame: WireFrame): WireFrame => frame['request'] as WireFrame;

const claimed = (frame: WireFrame): WireFrame => ({
  status: 'ok',
  cwd: requestOf(frame)['cwd'],
  session_id: 'claimed-session',
  parked_ms: 5,
  sdk_mcp_settled: true,
  initialize: { commands: [{ name: 'claimed' }], agents: [], models: [], account: { claimed: true } },
});

/** Takes every claim, but for the requests that are answered otherwise. */
const claimable = (change: (frame: WireFrame) => WireFrame | Error | null | undefined = () => undefined): Behaviour =>
  obliging({
    introduction: { hooks_applied: true, mcp_servers_applied: true, claude_code_version: '1' },
    request: (frame) => {
      const changed = change(frame);
      return changed === undefined && subtypeOf(frame) === 'claim_session' ? claimed(frame) : changed;
    },
  });

const refusing = (...subtypes: readonly string[]): Behaviour =>
  claimable((frame) =>
    subtypes.includes(String(subtypeOf(frame))) ? new Error(`No ${String(subtypeOf(frame))}.`) : undefined,
  );

/** Claims a spare agent and notes what comes of it. */
const claiming =
  (
    claim: Partial<ClaimOptions> = {},
    more: Options = {},
    prompt: () => string | ReturnType<typeof messageOf> = () => 'hello',
  ): Program =>
  async ({ prewarm }, place) => {
    const spare = await prewarm({ options: { ...parked(place), ...more } });
    const running = spare.claim({ prompt: prompt(), options: { cwd: place.cwd, ...claim } });
    await noteClaim(spare, place);
    const types: unknown[] = [];
    const failure = await failureOf(async () => {
      for await (const message of running) types.push(message.type);
    });
    place.note('messages', types);
    place.note('loop', failure);
    await spare.exited;
  };

async function noteClaim({ claimed: claim }: SpareProcess, { cwd, note }: Place): Promise<void> {
  try {
    note('claimed', withoutPlace(await claim, cwd));
  } catch (error) {
    const failure = await failureOf(() => Promise.reject(error));
    note('claimed', failure?.claim === undefined ? failure : { ...failure, claim: withoutPlace(failure.claim, cwd) });
  }
}

const withoutPlace = (value: unknown, cwd: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(cwd, '/place'));

/** What was written, without what each run has of its own. */
const written = (
  { launches }: RunRecord,
  cwdOf: (launch: RunRecord['launches'][number]) => string,
): readonly unknown[] =>
  launches.map((launch) =>
    stdinOf(launch)
      // Ours interrupts a turn that is ended.
      .filter((frame) => requestOf(frame)?.['cancel_queued'] !== true)
      .map(
        ({ session_id: _, ...frame }) =>
          JSON.parse(JSON.stringify(frame).replaceAll(cwdOf(launch), '/place')) as WireFrame,
      ),
  );

/** The folder of a run is the home of its agent. */
const home = ({ env }: RunRecord['launches'][number]): string => env['HOME'] ?? '';

function alike({ ours, official }: Awaited<ReturnType<typeof compare>>): void {
  failsAlike(ours.notes, official.notes);
  expect(written(ours, home)).toEqual(written(official, home));
  expect({ thrown: ours.thrown, hangs: ours.hangs }).toEqual({ thrown: undefined, hangs: false });
}

describe('prewarm()', () => {
  it('starts the agent in a folder of its own, which goes with it', async () => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: { ...parked(place), model: 'm', permissionMode: 'plan' } });
      const spares = join(place.cwd, '.claude', 'spares');
      const names = (): readonly string[] => readdirSync(spares).map((name) => name.replace(/-.*/, ''));
      place.note('members', Reflect.ownKeys(spare).map(String).toSorted());
      place.note('spares', names());
      place.note('modes', [await modeOf(spares), await modeOf(join(spares, readdirSync(spares)[0] ?? ''))]);
      await spare[Symbol.asyncDispose]();
      place.note('afterwards', names());
      place.note('claimed', await failureOf(async () => await spare.claimed));
    };
    const { official, ours } = await compare(program, { standIn: claimable() });
    failsAlike(ours.notes, official.notes);
    expect(ours.notes).toMatchObject({ spares: ['spare'], modes: ['700', '700'], afterwards: [] });
    const [theirs, our] = [official.launches[0], ours.launches[0]];
    if (theirs === undefined || our === undefined) throw new Error('Nothing was started.');
    expect(flagsOf(our)).toEqual(flagsOf(theirs));
    expect(flagsOf(our)['await-claim']).toEqual([true]);
    expect(our.cwd.replace(/-[^/]*$/, '')).toBe(join(home(our), '.claude/spares/spare'));
    expect(theirs.cwd.replace(/-[^/]*$/, '')).toBe(join(home(theirs), '.claude/spares/spare'));
  });

  it.each<[string, (place: Place) => Options, RegExp]>([
    [
      'below CLAUDE_CONFIG_DIR',
      ({ cwd, options }) => ({ env: { ...options.env, CLAUDE_CONFIG_DIR: `${cwd}/conf` } }),
      /\/conf\/spares\/spare-[^/]+$/,
    ],
    [
      'in the home, where that variable is empty',
      ({ options }) => ({ env: { ...options.env, CLAUDE_CONFIG_DIR: '' } }),
      /\/\.claude\/spares\/spare-[^/]+$/,
    ],
    ['in `cwd`, where it is given, which stays', ({ cwd }) => ({ cwd }), /\/compared-[^/]+$/],
  ])('parks it %s, as officially', async (_, more, folder) => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: { ...parked(place), ...more(place) } });
      spare.close();
      await spare.exited;
      place.note('stays', await stat(place.cwd).then(() => true));
    };
    const { official, ours } = await compare(program);
    for (const { launches, notes } of [official, ours]) {
      expect(launches[0]?.cwd).toMatch(folder);
      expect(notes).toEqual({ stays: true });
    }
  });

  it.each<[string, Program, Behaviour?]>([
    [
      'a session to resume',
      async ({ prewarm }, place) =>
        place.note(
          'failure',
          await failureOf(() => prewarm({ options: { ...parked(place), resume: crypto.randomUUID() } })),
        ),
    ],
    [
      'a session to go on with',
      async ({ prewarm }, place) =>
        place.note('failure', await failureOf(() => prewarm({ options: { ...parked(place), continue: true } }))),
    ],
    [
      'a session to copy',
      async ({ prewarm }, place) =>
        place.note('failure', await failureOf(() => prewarm({ options: { ...parked(place), forkSession: true } }))),
    ],
    [
      'an agent that does not answer',
      async ({ prewarm }, place) =>
        place.note('failure', await failureOf(() => prewarm({ options: parked(place), initializeTimeoutMs: 3000 }))),
      obliging({ request: () => null }),
    ],
    [
      'an agent that is too old',
      async ({ prewarm }, place) => place.note('failure', await failureOf(() => prewarm({ options: parked(place) }))),
      obliging({
        request: (_, agent) => {
          agent.stderr("error: unknown option '--await-claim'\n");
          agent.exit(1);
          return null;
        },
      }),
    ],
  ])('rejects as officially for %s', async (_, program, standIn = claimable()) => {
    alike(await compare(program, { standIn }));
  });
});

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe('claim()', () => {
  const everything: Partial<ClaimOptions> = {
    env: { CLAUDE_CODE_OAUTH_TOKEN: 't' },
    additionalDirectories: ['x', '/y'],
    model: 'm',
    permissionMode: 'acceptEdits',
    maxThinkingTokens: 5,
    settings: { effortLevel: 'high', fastMode: true, permissions: { deny: ['Bash'] }, deniedMcpServers: [] },
    appendSystemPrompt: 'A',
    title: 'T',
    agents: { a: { description: 'd', prompt: 'p' } },
  };

  it.each<[string, Partial<ClaimOptions>]>([
    ['nothing but a folder', {}],
    ['everything', everything],
    ['settings that decide what is started', { settings: { deniedMcpServers: [], unheardOf: 1 } }],
    [
      'settings that follow the claim',
      { settings: { model: 'm', agent: 'a', fastMode: true, availableModels: [], disableAutoMode: 'disable' } },
    ],
    ['empty settings', { settings: {} }],
    ['a folder of the home', { cwd: '~/x' }],
    ['the home', { cwd: '~' }],
    ['the default of thinking', { maxThinkingTokens: null }],
  ])('sends the agent the same as officially, in the same order: %s', async (_, options) => {
    const compared = await compare(claiming(options), { standIn: claimable() });
    alike(compared);
    expect(compared.official.notes).toMatchObject({ claimed: { sessionId: 'claimed-session' }, loop: undefined });
  });

  it('takes a relative folder from where the program works', async () => {
    const { official, ours } = await compare(claiming({ cwd: 'some' }), { standIn: claimable() });
    for (const { notes } of [official, ours])
      expect(notes).toMatchObject({ claimed: { cwd: join(process.cwd(), 'some') } });
  });

  it('works with a function of the program that starts the agent, as officially', async () => {
    const program: Program = async (sdk, place) => {
      const { pathToClaudeCodeExecutable: executable = '', ...options } = parked(place);
      const folders: unknown[] = [];
      const spawnClaudeCodeProcess: Options['spawnClaudeCodeProcess'] = ({ args, cwd, env }) => {
        folders.push(cwd?.replace(place.cwd, '/place').replace(/spare-.*/, 'spare'));
        return spawn(executable, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
      };
      await claiming()(sdk, { ...place, options: { ...options, spawnClaudeCodeProcess } });
      place.note('folders', folders);
      place.note('left', readdirSync(join(place.cwd, '.claude/spares')));
    };
    const { official, ours } = await compare(program, { standIn: claimable() });
    expect(official.notes).toMatchObject({ folders: ['/place/.claude/spares/spare'], left: [] });
    expect(ours.notes).toEqual(official.notes);
  });

  it('names the servers of this process', async () => {
    const program: Program = async (sdk, place) => {
      const mcpServers = { mine: sdk.createSdkMcpServer({ name: 'mine', tools: [] }) };
      await claiming({}, { mcpServers })(sdk, place);
    };
    const { official, ours } = await compare(program, { standIn: claimable() });
    const claims = ({ launches }: RunRecord): readonly unknown[] =>
      launches
        .flatMap(stdinOf)
        .filter((frame) => subtypeOf(frame) === 'claim_session')
        .map((frame) => requestOf(frame)['sdk_mcp_servers']);
    expect(claims(official)).toEqual([['mine']]);
    expect(claims(ours)).toEqual(claims(official));
  });

  it.each<[string, Behaviour, Partial<ClaimOptions>?, (() => ReturnType<typeof messageOf>)?]>([
    ['the claim', refusing('claim_session')],
    ['the claim, of a prompt that is a stream', refusing('claim_session'), {}, () => messageOf('hello')],
    ['the claim, which settings wait for', refusing('claim_session'), { settings: { fastMode: true } }],
    ['the model', refusing('set_model'), { model: 'm' }],
    ['model and thinking', refusing('set_model', 'set_max_thinking_tokens'), { model: 'm', maxThinkingTokens: 1 }],
    ['settings', refusing('apply_flag_settings'), { settings: { effortLevel: 'low' } }],
    ['settings and the claim', refusing('apply_flag_settings', 'claim_session'), { settings: { effortLevel: 'low' } }],
    ['settings that follow the claim', refusing('apply_flag_settings'), { settings: { fastMode: true } }],
    ['the model, beside settings', refusing('set_model'), { model: 'm', settings: { fastMode: true } }],
  ])('rejects `claimed` as officially when the agent refuses %s', async (_, standIn, options = {}, prompt) => {
    const compared = await compare(claiming(options, {}, prompt), { standIn });
    alike(compared);
    expect(compared.official.notes['claimed']).toHaveProperty('message');
  });

  it('does not send the prompt before settings are in force, but what is asked meanwhile', async () => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: parked(place) });
      const options = { cwd: place.cwd, model: 'm', settings: { permissions: { deny: ['Bash'] } } };
      const running = spare.claim({ prompt: 'hello', options });
      void running.setPermissionMode('plan').catch(() => {});
      place.note('models', await running.supportedModels());
      running.close();
      await noteClaim(spare, place);
    };
    const standIn = claimable((frame) => (subtypeOf(frame) === 'apply_flag_settings' ? null : undefined));
    const compared = await compare(program, { standIn });
    alike(compared);
    expect(JSON.stringify(written(compared.ours, home))).not.toContain('"user"');
  });

  it.each<[string, Program, Behaviour?]>([
    [
      'twice',
      async ({ prewarm }, place) => {
        const spare = await prewarm({ options: parked(place) });
        const claim = (): unknown => spare.claim({ prompt: 'hello', options: { cwd: place.cwd } });
        claim();
        place.note('failure', await failureOf(claim));
        spare.close();
        await spare.exited;
      },
    ],
    [
      'after close()',
      async ({ prewarm }, place) => {
        const spare = await prewarm({ options: parked(place) });
        spare.close();
        place.note('failure', await failureOf(() => spare.claim({ prompt: 'hello', options: { cwd: place.cwd } })));
        await noteClaim(spare, place);
        await spare.exited;
        spare.close();
      },
    ],
    [
      'after the agent has died',
      async ({ prewarm }, place) => {
        const spare = await prewarm({ options: parked(place) });
        await spare.exited;
        place.note('failure', await failureOf(() => spare.claim({ prompt: 'hello', options: { cwd: place.cwd } })));
        await noteClaim(spare, place);
      },
      (agent) => {
        claimable()(agent);
        agent.listen({ frame: () => setTimeout(() => agent.kill('SIGKILL'), 100) });
      },
    ],
    [
      'after an abort',
      async ({ prewarm }, place) => {
        const abortController = new AbortController();
        const spare = await prewarm({ options: { ...parked(place), abortController } });
        abortController.abort();
        await noteClaim(spare, place);
        await spare.exited;
        place.note('failure', await failureOf(() => spare.claim({ prompt: 'hello', options: { cwd: place.cwd } })));
      },
    ],
    [
      'and is closed before the answer',
      async ({ prewarm }, place) => {
        const spare = await prewarm({ options: parked(place) });
        const running = spare.claim({ prompt: 'hello', options: { cwd: place.cwd } });
        spare.close();
        await noteClaim(spare, place);
        place.note('loop', await failureOf(async () => await running.next()));
        await spare.exited;
      },
      claimable((frame) => (subtypeOf(frame) === 'claim_session' ? null : undefined)),
    ],
    [
      'with settings of hooks, and again without',
      async ({ prewarm }, place) => {
        const spare = await prewarm({ options: parked(place) });
        for (const settings of [{ hooks: {} }, { disableAllHooks: false }, { allowManagedHooksOnly: true }]) {
          const claim = (): unknown => spare.claim({ prompt: 'hello', options: { cwd: place.cwd, settings } });
          place.note(JSON.stringify(settings), await failureOf(claim));
        }
        const running = spare.claim({ prompt: 'hello', options: { cwd: place.cwd } });
        await noteClaim(spare, place);
        for await (const message of running) void message;
        await spare.exited;
      },
    ],
  ])('fails as officially when it is called %s', async (_, program, standIn = claimable()) => {
    const { official, ours } = await compare(program, { standIn });
    failsAlike(ours.notes, official.notes);
    expect({ thrown: ours.thrown, hangs: ours.hangs }).toEqual({ thrown: undefined, hangs: false });
  });

  it('makes the introduction that of the claimed session, with what only the start has taken', async () => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: parked(place) });
      const running = spare.claim({ prompt: 'hello', options: { cwd: place.cwd } });
      place.note('introduction', await running.initializationResult());
      place.note('account', await running.accountInfo());
      for await (const message of running) void message;
      place.note('commands', await running.supportedCommands());
    };
    const { official, ours } = await compare(program, { standIn: claimable() });
    expect(official.notes).toMatchObject({
      introduction: { hooks_applied: true, mcp_servers_applied: true },
      commands: [{ name: 'claimed' }],
    });
    expect(ours.notes).toEqual(official.notes);
  });

  it('forgets the commands of the parked agent, where officially those that changed there stay', async () => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: parked(place) });
      const running = spare.claim({ prompt: 'hello', options: { cwd: place.cwd } });
      place.note('commands', await running.supportedCommands());
      return running;
    };
    const standIn: Behaviour = (agent) => {
      agent.write({
        type: 'system',
        subtype: 'commands_changed',
        commands: [{ name: 'parked' }],
        uuid: 'u',
        session_id: 's',
      });
      claimable()(agent);
    };
    const { official, ours } = await compare(program, { standIn });
    expect(official.notes).toEqual({ commands: [{ name: 'parked' }] });
    expect(ours.notes).toEqual({ commands: [{ name: 'claimed' }] });
  });

  it.each<[string, unknown]>([
    ['claim() takes an object', undefined],
    ['claim() takes an object', { prompt: 'x' }],
    ['`cwd` must be a string', { prompt: 'x', options: {} }],
    ['`cwd` must be a string', { prompt: 'x', options: { cwd: 5 } }],
    ['`prompt` must be a string', { prompt: 5, options: { cwd: '/' } }],
    ['`model` must be a string', { prompt: 'x', options: { cwd: '/', model: 5 } }],
    ['`env` must be a plain object', { prompt: 'x', options: { cwd: '/', env: [] } }],
    ['`additionalDirectories` must be a list', { prompt: 'x', options: { cwd: '/', additionalDirectories: '/x' } }],
    ['`settings` must be a plain object', { prompt: 'x', options: { cwd: '/', settings: 'x' } }],
    ['`maxThinkingTokens` must be a whole number', { prompt: 'x', options: { cwd: '/', maxThinkingTokens: 'x' } }],
  ])('refuses what cannot be meant, and the spare can still be claimed: %s', async (message, params) => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: parked(place) });
      place.note('failure', await failureOf(() => spare.claim(params as never)));
      return spare.claim({ prompt: 'hello', options: { cwd: place.cwd } });
    };
    const { notes, thrown, messages } = await run('ours', program, { standIn: claimable() });
    expect(notes['failure']).toMatchObject({ name: 'TypeError', message: expect.stringContaining(message) });
    expect(thrown).toBeUndefined();
    expect(messages.map(({ type }) => type)).toContain('result');
  });

  it('leaves out what asks for nothing', async () => {
    const nothing = { model: null, permissionMode: '', settings: null, title: '', agents: null, env: undefined };
    const { launches } = await run('ours', claiming(nothing as never), { standIn: claimable() });
    expect(written({ launches } as RunRecord, home)[0]).toMatchObject([
      {},
      { request: { subtype: 'claim_session', cwd: '/place', sdk_mcp_servers: [], include_initialize: true } },
      { type: 'user' },
    ]);
  });
});

withCli('A spare agent of the real CLI', () => {
  const read = async (running: AsyncIterable<object>, place: Place): Promise<void> => {
    const messages: string[] = [];
    const failure = await failureOf(async () => {
      for await (const message of running) messages.push(JSON.stringify(message));
    });
    place.note('loop', failure);
    place.note('texts', messages.filter((text) => text.includes('tool_result')).join(''));
    place.note('results', messages.filter((text) => text.includes('"type":"result"')).length);
  };

  it.each(sides)('works in the folder that it is claimed for: %s', async (side) => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: { ...parked(place), allowedTools: ['Bash'] } });
      const running = spare.claim({ prompt: 'go', options: { cwd: place.cwd, title: 'T', appendSystemPrompt: 'A' } });
      await noteClaim(spare, place);
      await read(running, place);
      await spare.exited;
      place.note('cwd', place.cwd);
    };
    const { notes } = await runReal(side, program, [toolUse('Bash', { command: 'pwd' }), 'done']);
    expect(notes).toMatchObject({ claimed: { cwd: '/place', sdkMcpSettled: true }, loop: undefined, results: 1 });
    expect(notes['texts']).toContain(String(notes['cwd']));
  });

  it.each<[string, Partial<ClaimOptions>, RegExp]>([
    ['a folder that is missing', { cwd: '/no/such/folder' }, /^cwd_not_found/],
    ['a variable that it reads at its start', { env: { FOO: 'x' } }, /^env_key_not_claimable/],
    ['a mode that it was not allowed', { permissionMode: 'bypassPermissions' }, /^permission_mode_not_claimable/],
    ['settings that are invalid', { settings: { enabledPlugins: 5 } as never }, /^settings_not_applied/],
    [
      'settings that are invalid, behind the claim',
      { settings: { permissions: { deny: 5 } } as never },
      /^settings_not_applied/,
    ],
  ])('refuses %s, and leaves', async (_, options, reason) => {
    for (const side of sides) {
      const { notes, hangs } = await runReal(side, claiming(options), ['done']);
      expect(notes['claimed'], side).toMatchObject({ message: expect.stringMatching(reason) });
      expect(hangs).toBe(false);
    }
  });

  it.each(sides)('refuses a folder whose settings a claim cannot honour: %s', async (side) => {
    const program: Program = async (sdk, place) => {
      await mkdir(join(place.cwd, '.claude'));
      await writeFile(join(place.cwd, '.claude/settings.json'), JSON.stringify({ env: { A: 'b' } }));
      await claiming()(sdk, place);
    };
    const { notes } = await runReal(side, program, ['done']);
    expect(notes).toMatchObject({
      claimed: { message: expect.stringMatching(/^project_settings_not_claimable/) },
      loop: { message: expect.stringMatching(/^Claude Code returned an error result: not_claimed/) },
    });
  });

  it.each(sides)('holds the first call to rules that came with the claim: %s', async (side) => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: { ...parked(place), allowedTools: ['Bash'] } });
      const settings = { permissions: { deny: ['Bash(touch *)'] } };
      await read(spare.claim({ prompt: 'go', options: { cwd: place.cwd, settings } }), place);
      await noteClaim(spare, place);
    };
    const { notes, files } = await runReal(side, program, [toolUse('Bash', { command: 'touch touched' }), 'done']);
    expect(notes).toMatchObject({ results: 1, claimed: { cwd: '/place' } });
    expect(files).not.toContain('touched');
  });

  it.each(sides)('calls tools of this process, and asks its callbacks: %s', async (side) => {
    const program: Program = async ({ prewarm, createSdkMcpServer, tool }, place) => {
      const served = tool('t', 'd', {}, async () => ({ content: [{ type: 'text', text: 'was called' }] }));
      const mcpServers = { mine: createSdkMcpServer({ name: 'mine', tools: [served] }) };
      const asked: string[] = [];
      const canUseTool: Options['canUseTool'] = async (name, input) => {
        asked.push(name);
        return { behavior: 'allow', updatedInput: input };
      };
      const spare = await prewarm({ options: { ...parked(place), mcpServers, canUseTool } });
      await read(spare.claim({ prompt: 'go', options: { cwd: place.cwd } }), place);
      place.note('asked', asked);
    };
    const { notes } = await runReal(side, program, [toolUse('mcp__mine__t', {}), 'done']);
    expect(notes).toMatchObject({ asked: ['mcp__mine__t'], results: 1 });
    expect(notes['texts']).toContain('was called');
  });

  it('leaves no folder behind, however it ends', async () => {
    const program: Program = async ({ prewarm }, place) => {
      const spares = join(
        place.options.env?.['CLAUDE_CONFIG_DIR'] ?? join(place.options.env?.['HOME'] ?? '', '.claude'),
        'spares',
      );
      const closed = await prewarm({ options: parked(place) });
      const killed = await prewarm({ options: parked(place) });
      place.note('parked', readdirSync(spares).length);
      closed.close();
      await closed.exited;
      killed.claim({ prompt: 'go', options: { cwd: '/no/such/folder' } });
      await killed.exited;
      await failureOf(async () => await killed.claimed);
      place.note('left', readdirSync(spares));
    };
    const { notes } = await runReal('ours', program, ['done']);
    expect(notes).toEqual({ parked: 2, left: [] });
  });
});
