import { handled } from '@hexagent/async';
import type { ControlAnswer } from '@hexagent/ports';
import type { Claim } from './claiming.ts';
import type { RunningQuery } from './running-query.ts';
import type { SpareProcess } from './types/prewarm.ts';

export type Claimed = Awaited<SpareProcess['claimed']>;

/** The requests of a claim, which wait for their answers. */
export interface SentClaim {
  readonly claiming: Promise<ControlAnswer<'claim_session'>>;
  /** The prompt must not be sent before the agent has taken them; `undefined` where there are none. */
  readonly settings: Promise<unknown> | undefined;
  /** What the session runs without where it is refused, by the names of the options. */
  readonly options: Readonly<Record<string, Promise<unknown> | undefined>>;
}

/** Writes all requests at once. */
export function sendClaim(running: RunningQuery, claim: Claim): SentClaim {
  const { fields, ahead, behind, model, maxThinkingTokens: max_thinking_tokens } = claim;
  const apply = (settings: typeof ahead): readonly Promise<unknown>[] =>
    settings === undefined ? [] : [running.askAtOnce('apply_flag_settings', { settings })];
  const before = apply(ahead);
  const claiming = running.askAtOnce('claim_session', fields);
  const options = {
    model: model === undefined ? undefined : running.askAtOnce('set_model', { model }),
    maxThinkingTokens:
      max_thinking_tokens === undefined
        ? undefined
        : running.askAtOnce('set_max_thinking_tokens', { max_thinking_tokens }),
  };
  const settings = [...before, ...apply(behind)];
  return { claiming, settings: settings.length === 0 ? undefined : handled(Promise.all(settings)), options };
}

/** What a program receives of its claim. */
export function claimedOf(
  { cwd, session_id, parked_ms, sdk_mcp_settled }: ControlAnswer<'claim_session'>,
  { fields }: Claim,
): Claimed {
  return {
    cwd: cwd ?? fields.cwd,
    sessionId: session_id,
    ...(parked_ms !== undefined && { parkedMs: parked_ms }),
    sdkMcpSettled: sdk_mcp_settled as boolean, // as the agent sends it; an older one leaves it out
  };
}

/** Which of these requests the agent refused, by their names, and why. */
export async function refusedOf(
  requests: Readonly<Record<string, Promise<unknown> | undefined>>,
): Promise<readonly (readonly [string, unknown])[]> {
  const answers = Object.entries(requests).map(
    async ([name, request]) =>
      await request?.then(
        () => undefined,
        (error: unknown) => [name, error] as const,
      ),
  );
  return (await Promise.all(answers)).filter((answer) => answer !== undefined);
}
