import { isAbsolutePath } from '@hexagent/processes';
import { compose, composeCall, type CallOverrides } from './compose.ts';
import type { DependencyContainer } from './container.ts';
import { instrumented } from './instrumentation.ts';
import type { Parts } from './parts.ts';

/** The composed parts of one SDK. */
export interface Scopes {
  /** The scope of all calls that name no agent: the CLI is searched for once. */
  readonly shared: DependencyContainer;
  /** The scope of one call. */
  of(overrides: CallOverrides): DependencyContainer;
}

/** How many programs are remembered: a caller that names another program each time must not make this grow for ever. */
const mostScopes = 16;

/** Composes the parts: once for all calls, and again for a call that names a transport or a program for itself. */
export function scopesOf(given: Parts): Scopes {
  const parts = instrumented(given);
  const shared = compose(parts);
  const named = new Map<string, DependencyContainer>();
  return {
    shared,
    of(overrides) {
      const name = nameOf(overrides);
      const scope = (name === undefined ? undefined : named.get(name)) ?? composeCall(shared, overrides, parts);
      if (name === undefined) return scope;
      named.delete(name); // the newest comes last
      named.set(name, scope);
      for (const [oldest] of named) if (named.size > mostScopes) named.delete(oldest);
      return scope;
    },
  };
}

/** The key of calls that name only a program, by an absolute path: a relative path means another program in each folder. */
function nameOf(overrides: CallOverrides): string | undefined {
  const { executable, interpreter, interpreterArgs, transport, spawn, onStderr, maxLineBytes } = overrides;
  if (typeof executable !== 'string' || !isAbsolutePath(executable, process.platform)) return undefined;
  const others = [interpreter, interpreterArgs, transport, spawn, onStderr, maxLineBytes];
  return others.every((value) => value === undefined) ? executable : undefined;
}
