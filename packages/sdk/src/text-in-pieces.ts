import type { ConversationOptions, LaunchOptions } from '@hexagent/ports';
import type { SessionOptions } from './session-options.ts';

/**
 * How long the agent holds a piece of text back, to join it with the next: while a program reads them, a time that no person notices;
 * while none does, longer, since each line costs both sides.
 */
const holding = {
  CLAUDE_CODE_STREAM_EVENT_HOLD_MS: '10',
  CLAUDE_CODE_STREAM_EVENT_NO_SUBSCRIBER_HOLD_MS: '500',
};

interface Parts {
  readonly launchOptions: LaunchOptions;
  readonly settings: Omit<ConversationOptions, 'launch' | 'features'>;
}

/**
 * Has the agent of a session send its text in pieces, although its messages are to be whole: a reader of text may come to any turn,
 * and the agent decides at its start. Only such readers get them.
 */
export function withPieces<P extends Parts>(
  parts: P,
  { partialMessages, extraArgs = {} }: Pick<SessionOptions, 'partialMessages' | 'extraArgs'>,
): P & Parts {
  if (partialMessages === true || 'include-partial-messages' in extraArgs) return parts;
  const { launchOptions, settings } = parts;
  const env = { ...holding, ...launchOptions.env };
  return {
    ...parts,
    launchOptions: { ...launchOptions, env, includePartialMessages: true },
    settings: { ...settings, withholdsPieces: true },
  };
}
