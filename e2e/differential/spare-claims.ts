import type { Options, SpareProcess } from '@anthropic-ai/claude-agent-sdk';
import { expect } from 'vitest';
import { obliging, subtypeOf } from './behaviours.ts';
import { stdinOf } from './comparable.ts';
import { failsAlike, failureOf, type messageOf } from './failing-alike.ts';
import { type compare, type Place, type Program, type RunRecord } from './run.ts';
import type { Behaviour, WireFrame } from './stand-in.ts';

export type ClaimOptions = Parameters<SpareProcess['claim']>[0]['options'];

/** The options of the agent without the folder of a session, so that it is parked in one of its own. */
export const parked = ({ options: { cwd: _, ...options } }: Place): Options => options;

export const requestOf = (frame: WireFrame): WireFrame => frame['request'] as WireFrame;

export const claimed = (frame: WireFrame): WireFrame => ({
  status: 'ok',
  cwd: requestOf(frame)['cwd'],
  session_id: 'claimed-session',
  parked_ms: 5,
  sdk_mcp_settled: true,
  initialize: { commands: [{ name: 'claimed' }], agents: [], models: [], account: { claimed: true } },
});

/** Takes every claim, but for the requests that are answered otherwise. */
export const claimable = (
  change: (frame: WireFrame) => WireFrame | Error | null | undefined = () => undefined,
): Behaviour =>
  obliging({
    introduction: { hooks_applied: true, mcp_servers_applied: true, claude_code_version: '1' },
    request: (frame) => {
      const changed = change(frame);
      return changed === undefined && subtypeOf(frame) === 'claim_session' ? claimed(frame) : changed;
    },
  });

export const refusing = (...subtypes: readonly string[]): Behaviour =>
  claimable((frame) =>
    subtypes.includes(String(subtypeOf(frame))) ? new Error(`No ${String(subtypeOf(frame))}.`) : undefined,
  );

/** Claims a spare agent and notes what comes of it. */
export const claiming =
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

export async function noteClaim({ claimed: claim }: SpareProcess, { cwd, note }: Place): Promise<void> {
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
export const written = (
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
export const home = ({ env }: RunRecord['launches'][number]): string => env['HOME'] ?? '';

export function alike({ ours, official }: Awaited<ReturnType<typeof compare>>): void {
  failsAlike(ours.notes, official.notes);
  expect(written(ours, home)).toEqual(written(official, home));
  expect({ thrown: ours.thrown, hangs: ours.hangs }).toEqual({ thrown: undefined, hangs: false });
}
