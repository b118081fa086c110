import { lastText, systemTextOf, type Asked, type MessagesBody, type SideKind } from './requests.ts';
import type { TurnLike } from './turns.ts';

/**
 * Requests that the CLI makes beside the conversation. An ordered script must not be used up by them, so they are
 * answered from here. Seen with CLI 2.1.326, started as `hermeticEnv` does:
 * - `title`: after a `generate_session_title` request; no tools.
 * - `suggestion`: when initialize asked for `promptSuggestions`, after turns from the second reply on.
 * - `progress`: every 30 s for a running subagent when initialize asked for `agentProgressSummaries`.
 * - `model-check`: `set_model` to a name that is not in the CLI's list; not streamed, one token.
 *
 * Not side requests, because the test itself asks for them and means to script the answer: `/compact` (asked twice when the
 * first answer has no `<summary>`), `side_question`, hooks of type `prompt`, the inner request of the WebSearch tool,
 * subagents (`cc_is_subagent=true` in the first block of the system prompt), turns brought by a task notification.
 * For scripts with failures: a 400 is retried with fewer features, up to six times; 402 and 403 are not retried. After an
 * `error` event the CLI retries at once with `stream: false`; after a cut inside a block it retries with a delay
 * (`stream: false` with CLAUDE_CODE_MAX_RETRIES=0); after a cut behind a whole block it keeps that and requests the rest.
 * Other endpoints: `HEAD /api/hello` (not with CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC), and some twenty
 * `POST /v1/messages/count_tokens` for one `get_context_usage`. No title, quota or background call of its own accord.
 */
export type SideAnswerer = (request: Asked, kind: SideKind) => TurnLike;

/** The kind of a side request; `undefined` for a request of the conversation. */
export function sideKind(body: MessagesBody): SideKind | undefined {
  if (body.max_tokens === 1 && body.tools === undefined) return 'model-check';
  if (systemTextOf(body).includes('You are naming a coding session')) return 'title';
  const prompt = lastText(body);
  if (prompt.startsWith('[SUGGESTION MODE:')) return 'suggestion';
  if (prompt.startsWith('Describe your most recent action')) return 'progress';
  return undefined;
}

/** The default answers. */
const usual: Readonly<Record<SideKind, TurnLike>> = {
  title: '{"title":"Loopback session"}',
  suggestion: 'go on',
  progress: 'Working on it',
  'model-check': 'Hi',
};

export const usualSideAnswer: SideAnswerer = (_, kind) => usual[kind];
