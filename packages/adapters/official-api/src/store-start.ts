import { notify } from '@hexagent/async';
import {
  withFeatures,
  type ConfigFile,
  type Launch,
  type Launcher,
  type LaunchOptions,
  type SessionFeature,
  type SessionStore,
} from '@hexagent/ports';
import type { StoreChoice } from './store-choice.ts';

/** The parts that a query with a store needs. */
export interface StoreParts {
  /** Creates the feature that stores the transcript. */
  readonly mirror: (choice: StoreChoice) => Promise<SessionFeature>;
  /** Loads a session; `undefined` where the store has none. */
  readonly restore: (request: RestoreRequest) => Promise<RestoredSession | undefined>;
}

/** A session to be loaded from a store before an agent continues it. */
export interface RestoreRequest {
  readonly store: SessionStore;
  /** The folder in which the agent will work. Default: that of this process. */
  readonly cwd: string | undefined;
  /** Default: the session that was written last. */
  readonly sessionId: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A session of a store, as the files of a config folder. */
export interface RestoredSession {
  readonly sessionId: string;
  readonly files: readonly ConfigFile[];
}

interface Asked {
  readonly launchOptions: LaunchOptions;
  readonly features: readonly SessionFeature[];
  /** How long one call of the store may take. Default: a minute. */
  readonly loadTimeoutMs?: number | null | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The default of the official package. */
const usualTimeoutMs = 60_000;

/** How the agent is launched, and the features of its conversation, where a store keeps the transcript. */
export async function startWithStore(
  parts: StoreParts & { readonly launcher: Launcher },
  choice: StoreChoice,
  asked: Asked,
): Promise<{ readonly launch: Launch; readonly features: readonly SessionFeature[] }> {
  const { features } = asked;
  try {
    const mirror = await parts.mirror(choice);
    return { launch: await launchOf(parts, choice, asked), features: [...features, mirror] };
  } catch (error) {
    // No conversation is opened that would close them.
    for (const feature of features) notify(() => feature.close?.());
    throw error;
  }
}

async function launchOf(
  { restore, launcher }: StoreParts & { readonly launcher: Launcher },
  { store }: StoreChoice,
  { launchOptions, features, loadTimeoutMs, signal }: Asked,
): Promise<Launch> {
  const wanted = { ...withFeatures(launchOptions, features), sessionMirror: true };
  const { resume: sessionId } = launchOptions;
  if (sessionId === undefined && launchOptions.continue !== true) return launcher(wanted);
  const timeoutMs = loadTimeoutMs ?? usualTimeoutMs;
  const restored = await restore({ store, cwd: launchOptions.cwd, sessionId, timeoutMs, signal });
  // Without a session in the store, as in the official package: for `resume` the agent searches its folder, for `continue` it begins a session.
  if (restored === undefined) return launcher({ ...wanted, continue: undefined });
  const configFolder = { files: restored.files };
  return launcher({ ...wanted, continue: undefined, resume: restored.sessionId, configFolder });
}
