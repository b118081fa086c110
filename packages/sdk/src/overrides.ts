import { isRemoteCommand, RemoteTransport } from '@hexagent/remote-transport';
import { tokens, type CallOverrides } from './compose.ts';
import type { DependencyContainer } from './container.ts';
import type { SessionOptions } from './session-options.ts';
import { guarded } from './warnings.ts';

type Replacing = Pick<SessionOptions, 'executable' | 'transport' | 'onStderr' | 'maxLineBytes'>;

/** What the options of a call replace. An agent elsewhere is reached by another transport, which the drop-in has not. */
export function overridesOf(options: Replacing, shared: DependencyContainer): CallOverrides {
  const { executable, transport, onStderr, maxLineBytes } = options;
  if (!isRemoteCommand(executable)) return { executable, transport, onStderr, maxLineBytes };
  const listener = onStderr && guarded(onStderr, shared.resolve(tokens.warn));
  return { transport: new RemoteTransport({ command: executable, onStderr: listener, maxLineBytes }) };
}
