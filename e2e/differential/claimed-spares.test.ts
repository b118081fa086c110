import { describe, expect, it } from 'vitest';
import { subtypeOf } from './behaviours.ts';
import { failsAlike, failureOf } from './failing-alike.ts';
import { compare, run, type Program, type RunRecord } from './run.ts';
import type { Behaviour } from './stand-in.ts';
import { claimable, claiming, home, noteClaim, parked, written } from './spare-claims.ts';

describe('A claim of a spare agent', () => {
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
  ])('fails as in the official package when it is called %s', async (_, program, standIn = claimable()) => {
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

  it('drops the commands of the parked agent, while in the official package those that changed there stay', async () => {
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
  ])('refuses options that cannot be meant, and the spare can still be claimed: %s', async (message, params) => {
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
