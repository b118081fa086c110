import { notify } from '@hexagent/async';
import {
  withFeatures,
  type ConversationOptions,
  type LaunchOptions,
  type SessionFeature,
  type SessionStore,
} from '@hexagent/ports';
import { tokens } from './compose.ts';
import type { DependencyContainer } from './container.ts';

/** How a conversation is opened, in parts. */
export interface ConversationParts {
  readonly launchOptions: LaunchOptions;
  readonly features: readonly SessionFeature[];
  readonly settings: Omit<ConversationOptions, 'launch' | 'features'>;
}

type Started = Pick<ConversationOptions, 'launch' | 'features'>;

/** The same with the transcript in a store of the program. */
export async function startWithStoreOf(
  scope: DependencyContainer,
  store: SessionStore,
  { launchOptions, features, settings: { signal } }: ConversationParts,
): Promise<Started> {
  const { startSessionWithStore } = await import('./compose-stored-sessions.ts');
  const [launcher, clock] = [scope.resolve(tokens.launcher), scope.resolve(tokens.clock)];
  const parts = { launcher, clock, ids: scope.resolve(tokens.ids), warn: scope.resolve(tokens.warn) };
  return await startSessionWithStore(store, parts, { launchOptions, features, signal });
}

/** The launch of an agent. */
export function startOf(scope: DependencyContainer, { launchOptions, features }: ConversationParts): Started {
  try {
    return { launch: scope.resolve(tokens.launcher)(withFeatures(launchOptions, features)), features };
  } catch (error) {
    closeAll(features);
    throw error;
  }
}

/** For features of a conversation that is not opened, and so does not close them. */
export function closeAll(features: readonly SessionFeature[]): void {
  for (const feature of features) notify(() => feature.close?.());
}
