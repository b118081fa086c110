import { readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options, SpareProcess } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { obliging, subtypeOf } from './behaviours.ts';
import { flagsOf } from './comparable.ts';
import { failsAlike, failureOf } from './failing-alike.ts';
import { compare, type Place, type Program } from './run.ts';
import type { Behaviour, WireFrame } from './stand-in.ts';
import { alike, claimable, home, parked } from './spare-claims.ts';

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
  ])('parks it %s, as in the official package', async (_, more, folder) => {
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

  it('reports the commands of a spare agent, and each change of them, until it is claimed', async () => {
    const changed = (...names: readonly string[]): WireFrame => ({
      type: 'system',
      subtype: 'commands_changed',
      commands: names.map((name) => ({ name })),
      uuid: crypto.randomUUID(),
      session_id: 's',
    });
    const standIn: Behaviour = (agent) => {
      claimable((frame) => {
        // The claim is answered behind a change that belongs to the session.
        if (subtypeOf(frame) === 'claim_session') agent.write(changed('of the session'));
        return undefined;
      })(agent);
      agent.listen({
        frame: (frame) => {
          if (subtypeOf(frame) === 'initialize') agent.write(changed('one', 'two'));
        },
      });
    };
    const program: Program = async ({ prewarm }, place) => {
      const spare = (await prewarm({ options: parked(place) })) as SpareProcess & {
        onCommands(listener: (commands: readonly { readonly name: string }[]) => void): void; // has no type
      };
      const reported = new Set<string>();
      await new Promise<void>((resolve) => {
        spare.onCommands((commands) => {
          reported.add(commands.map(({ name }) => name).join());
          if (reported.has('one,two')) resolve();
          else throw new Error('This one is reported, and the next one comes all the same.');
        });
      });
      const running = spare.claim({ prompt: 'hello', options: { cwd: place.cwd } });
      for await (const _ of running);
      // The list before the change is empty, and the change may arrive before it is looked at.
      place.note('reported', [...reported].filter((names) => names !== '').toSorted());
    };
    const { official, ours } = await compare(program, { standIn });
    expect(ours.notes).toEqual(official.notes);
    expect(ours.notes['reported']).toEqual(['one,two']);
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
  ])('rejects as in the official package for %s', async (_, program, standIn = claimable()) => {
    alike(await compare(program, { standIn }));
  });
});

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}
