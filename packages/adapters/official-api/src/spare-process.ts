import { homedir } from 'node:os';
import { join } from 'node:path';
import { errorText, isRecord } from '@hexagent/checks';
import type { LaunchOptions, WarningListener } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { claimedOf, refusedOf, sendClaim, type Claimed } from './claim-requests.ts';
import { claimedIntroduction, claimOf, type Claim } from './claiming.ts';
import { notAppliedError, onceOnlyError, spareLostError } from './errors.ts';
import type { Prompt } from './input.ts';
import { given } from './lenient.ts';
import { checkPrompt } from './prompt-items.ts';
import type { QueryParts } from './query-parts.ts';
import { queryOver } from './query.ts';
import type { SlashCommand } from './types/common.ts';
import type { Options } from './types/options.ts';
import type { SpareProcess } from './types/prewarm.ts';
import type { Query } from './types/query.ts';
import { warmingParams, warmUp, type StartupParams, type Warm, type Warming } from './warming.ts';

/**
 * Starts an agent that belongs to no folder yet, and resolves when it can be claimed.
 * @throws as `startup()` does.
 */
export type PrewarmFunction = (params?: StartupParams) => Promise<SpareProcess>;

/** Makes the official `prewarm()` over the given parts. */
export function createPrewarm(parts: QueryParts): PrewarmFunction {
  return async (params) => {
    const warming = warmingParams('prewarm', params);
    refuseSessions(warming.options);
    const spare = new Spare(parts.warn);
    return spare.over(
      await warmUp(parts, { ...warming, ...parking(warming.options), onEnd: ({ error }) => spare.ended(error) }),
    );
  };
}

/** @throws {TypeError} for options of a session. */
function refuseSessions(options: Options): void {
  if (given(options.resume) ?? given(options.continue) ?? given(options.forkSession))
    throw new TypeError(
      'prewarm(): resume/continue/forkSession describe a session; a spare has none. Pass them to query() instead.',
    );
}

function parking({ cwd }: Options): Pick<Warming, 'adjust'> {
  return {
    adjust: (launch) => ({
      ...launch,
      extraArgs: { ...launch.extraArgs, 'await-claim': null },
      ...(given(cwd) === undefined && { cwd: undefined, ownFolder: join(configFolder(launch), 'spares', 'spare-') }),
    }),
  };
}

/** The folder of the CLI for all projects. */
function configFolder({ env }: LaunchOptions): string {
  return given(env['CLAUDE_CONFIG_DIR']) ?? join(given(env['HOME']) ?? homedir(), '.claude');
}

type CommandsListener = (commands: SlashCommand[]) => void;

/** The official type does not have it. */
interface WithCommands {
  onCommands(listener: CommandsListener): void;
}

/** One agent that waits to be claimed. */
class Spare {
  readonly #claimed = new Deferred<Claimed>().handled();
  readonly #warn: WarningListener;
  #isTaken = false;
  #isOver = false;
  #isClosed = false;

  constructor(warn: WarningListener) {
    this.#warn = warn;
  }

  /** Called when the agent has ended, or was ended. */
  ended(cause: unknown): void {
    this.#isOver = true;
    if (!this.#isTaken) this.#claimed.reject(spareLostError(this.#isClosed ? 'closed' : 'exited', cause));
  }

  over(warm: Warm): SpareProcess & WithCommands {
    const { running } = warm;
    const close = (): void => {
      this.#isClosed = true;
      running.stop();
    };
    const exited = running.gone();
    return {
      claimed: this.#claimed.promise,
      exited,
      onCommands: (listener) => this.#reportCommands(warm, listener),
      claim: (params) => this.#claim(warm, params),
      close,
      async [Symbol.asyncDispose]() {
        close();
        await exited;
      },
    };
  }

  /** Now, and after each change, until the agent is claimed. */
  #reportCommands({ running, introduction }: Warm, listener: CommandsListener): void {
    const report = (commands: SlashCommand[]): void => {
      if (this.#isTaken || this.#isOver) return;
      try {
        listener(commands);
      } catch (cause) {
        const message = `The callback of \`onCommands()\` failed: ${errorText(cause)}`;
        this.#warn({ code: 'HEXAGENT_CALLBACK_FAILED', source: 'onCommands', message, cause });
      }
    };
    running.onCommands(report);
    queueMicrotask(() => report(running.commands ?? (introduction.commands as SlashCommand[]))); // as the agent sends it
  }

  #claim(warm: Warm, params: Parameters<SpareProcess['claim']>[0]): Query {
    const { prompt, options } = isRecord(params) ? params : {};
    const claim = claimOf(options as typeof params.options, warm.running.servers.names(), this.#warn);
    const checked = checkPrompt(prompt as Prompt);
    if (this.#isTaken) throw onceOnlyError('SpareProcess.claim()');
    if (this.#isOver) throw spareLostError('gone');
    this.#isTaken = true;
    void this.#follow(warm, claim, checked);
    return queryOver(warm.running);
  }

  async #follow({ running, introduction }: Warm, claim: Claim, prompt: Prompt): Promise<void> {
    const { claiming, settings, options } = sendClaim(running, claim);
    const introduced = claiming.then(({ initialize }) => claimedIntroduction(introduction, initialize));
    running.introduceAs(introduced.catch(() => introduction));
    if (settings === undefined) running.begin(prompt);
    let claimed: Claimed;
    try {
      claimed = claimedOf(await claiming, claim);
    } catch (error) {
      // A prompt that was sent is answered by the agent, which then leaves.
      if (settings === undefined) running.letGo();
      else running.stop();
      return this.#claimed.reject(error);
    }
    try {
      await settings;
      if (settings !== undefined) running.begin(prompt);
    } catch (error) {
      running.stop();
      return this.#claimed.reject(notAppliedError('settings_not_applied', [['', error]], claimed));
    }
    const refused = await refusedOf(options);
    if (refused.length === 0) this.#claimed.resolve(claimed);
    else this.#claimed.reject(notAppliedError('option_not_applied', refused, claimed));
  }
}
