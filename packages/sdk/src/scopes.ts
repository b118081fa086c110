import { compose, composeCall, type CallOverrides } from './compose.ts';
import type { DependencyContainer } from './container.ts';
import type { Parts } from './parts.ts';

/** The composed parts of one SDK. */
export interface Scopes {
  /** The scope of all calls that name no agent of their own, so that the CLI is searched for once. */
  readonly shared: DependencyContainer;
  /** The scope of one call. */
  of(overrides: CallOverrides): DependencyContainer;
}

/** Composes the parts: once for all calls, and again for a call that names a transport or a program for itself. */
export function scopesOf(parts: Parts): Scopes {
  const shared = compose(parts);
  return { shared, of: (overrides) => composeCall(shared, overrides, parts) };
}
