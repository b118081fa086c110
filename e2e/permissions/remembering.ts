import type { Warning } from '@hexagent/ports';
import {
  allow,
  createSdk,
  rulesToRemember,
  type AskHandler,
  type RememberScope,
  type SessionOptions,
} from '@hexagent/sdk';
import { toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import type { Stage } from '../support/stage.ts';

export const resultsIn = ({ body }: ModelRequest): number =>
  JSON.stringify(body.messages).split('"tool_result"').length - 1;

/** Two calls, of which the rule of the first covers the second. */
export const twice = (request: ModelRequest): TurnLike =>
  resultsIn(request) === 2
    ? 'over'
    : toolUse('Bash', { command: resultsIn(request) === 0 ? 'touch one' : 'touch one two' });

export interface Remembered {
  readonly asked: readonly string[];
  readonly offered: readonly (readonly string[])[];
  readonly warned: readonly Warning[];
  readonly mode: unknown;
}

interface How {
  readonly settings?: SessionOptions['settings'];
  /** Whether the program will be warned. */
  readonly isWarned?: boolean;
}

/** A session whose approver remembers all that it is asked. */
export async function remember(
  place: Stage,
  scope: RememberScope,
  { settings = 'user', isWarned = false }: How = {},
): Promise<Remembered> {
  const [asked, offered, warned]: [string[], (readonly string[])[], Warning[]] = [[], [], []];
  const first = Promise.withResolvers<void>();
  const sdk = createSdk({ onWarning: (warning) => (warned.push(warning), first.resolve()) });
  const onAsk: AskHandler = async (ask) => {
    if (ask.kind !== 'call') return null;
    const { command, file_path: path } = ask.request.input;
    asked.push(String(command ?? path));
    offered.push(rulesToRemember(ask.request));
    // Before it is stored again: the CLI follows a rule for a moment, until it reads the files, which it does once.
    if (isWarned && asked.length > 1) await first.promise;
    return allow({ remember: scope });
  };
  await using session = await sdk.openSession({ ...place.options, settings, onAsk });
  const modes: unknown[] = [];
  for await (const message of session.send('go'))
    if (message.type === 'system' && message.subtype === 'status') modes.push(message.permissionMode);
  return { asked, offered, warned, mode: modes.at(-1) };
}
