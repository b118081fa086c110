import type { DependencyContainer } from 'tsyringe';
import { CliTransport } from '@hexagent/cli-transport';
import type { Transport } from '@hexagent/ports';
import { compose } from './compose.ts';
import type { Parts } from './parts.ts';
import { guarded, warningListenerOf } from './warnings.ts';

/** What one call names for itself; the parts decide what is absent. */
export interface CallOverrides {
  readonly transport?: Transport | undefined;
  readonly executable?: string | undefined;
  readonly interpreter?: 'bun' | 'deno' | 'node' | undefined;
  readonly interpreterArgs?: readonly string[] | undefined;
  readonly onStderr?: ((text: string) => void) | undefined;
  readonly maxLineBytes?: number | undefined;
}

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
  return {
    shared,
    of(overrides) {
      const transport = transportOf(overrides, parts);
      return transport === undefined ? shared : compose({ ...parts, transport });
    },
  };
}

/** The transport that a call names for itself; `undefined` for the one the SDK was made of. */
function transportOf(overrides: CallOverrides, parts: Parts): Transport | undefined {
  const { transport, executable, interpreter, interpreterArgs, onStderr, maxLineBytes } = overrides;
  if (transport !== undefined) return transport;
  const namesProgram = executable !== undefined || interpreter !== undefined || interpreterArgs !== undefined;
  // A listener or a limit alone is no reason to give up a transport that was swapped in.
  const isAdjusted = (onStderr !== undefined || maxLineBytes !== undefined) && parts.transport === undefined;
  if (!namesProgram && !isAdjusted) return undefined;
  const listener = onStderr && guarded(onStderr, warningListenerOf(parts));
  return new CliTransport({ executable, interpreter, interpreterArgs, onStderr: listener, maxLineBytes });
}
