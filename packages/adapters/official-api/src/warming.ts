import { isRecord } from '@hexagent/checks';
import type { InitializeResult, LaunchOptions } from '@hexagent/ports';
import type { Ending } from './ending.ts';
import { startError } from './errors.ts';
import { launch } from './launching.ts';
import type { QueryParts } from './query-parts.ts';
import type { RunningQuery } from './running-query.ts';
import type { Options, OwnOptions } from './types/options.ts';

/** The official package waits a minute, without the time of hooks in settings; here that time counts too. */
const defaultTimeoutMs = 5 * 60_000;

/** The arguments of `startup()` and `prewarm()`. */
export type StartupParams = { options?: Options & OwnOptions; initializeTimeoutMs?: number };

export interface Warming {
  /** The function that was called, for its errors. */
  readonly name: 'startup' | 'prewarm';
  readonly options: Options & OwnOptions;
  readonly initializeTimeoutMs: number;
  readonly adjust?: ((launch: LaunchOptions) => LaunchOptions) | undefined;
  readonly onEnd?: ((ending: Ending) => void) | undefined;
}

/** An agent that has no prompt yet. */
export interface Warm {
  readonly running: RunningQuery;
  readonly introduction: InitializeResult;
}

/** Starts an agent without a prompt. Resolves when it has introduced itself; when it fails, nothing of it stays. */
export async function warmUp(parts: QueryParts, warming: Warming): Promise<Warm> {
  const running = launch(parts, warming);
  try {
    return { running, introduction: await running.introduction() };
  } catch (error) {
    running.stop();
    throw startError(error, warming.initializeTimeoutMs);
  }
}

/** @throws {TypeError} for an invalid value. */
export function warmingParams(
  name: Warming['name'],
  params: StartupParams | undefined,
): Pick<Warming, 'name' | 'options' | 'initializeTimeoutMs'> {
  if (params !== undefined && !isRecord(params))
    throw new TypeError(
      `${name}() takes an object with \`options\`, and \`initializeTimeoutMs\` if it is to wait otherwise.`,
    );
  const { options, initializeTimeoutMs: timeoutMs } = params ?? {};
  const initializeTimeoutMs: unknown = timeoutMs ?? defaultTimeoutMs;
  if (typeof initializeTimeoutMs !== 'number' || !(initializeTimeoutMs > 0))
    throw new TypeError('`initializeTimeoutMs` must be a number of milliseconds above 0; `Infinity` for no limit.');
  return { name, options: options ?? {}, initializeTimeoutMs };
}
