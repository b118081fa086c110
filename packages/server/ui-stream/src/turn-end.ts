import { defined, numberOr, recordOf, recordsOf, textOr, textsOf, type Fields } from './loose.ts';
import type { UiChunk, UiFinishReason } from './ui-chunk.ts';
import { withoutResult, type NoOutput } from './tool-calls.ts';
import type { UiTurnMetadata } from './ui-data.ts';
import type { UiEnd } from './ui-translator.ts';

/** How a turn ended, as its result shows it. */
export interface TurnEnd {
  readonly metadata: UiTurnMetadata;
  readonly finishReason: UiFinishReason;
  /** The last chunk, behind the end. */
  readonly last?: Extract<UiChunk, { readonly type: 'abort' | 'error' }>;
  /** How calls without a result end. */
  readonly unfinished: NoOutput;
}

const unfinished: NoOutput = { kind: 'interrupted', text: withoutResult };
const stopped: NoOutput = { kind: 'error', text: 'It was interrupted.' };

/** The end of a turn that has no result. */
export function endWithout(how: UiEnd | undefined): TurnEnd {
  if (how?.kind === 'error') return failedEnd(how);
  if (how?.kind !== 'aborted')
    return { metadata: how === undefined ? {} : { suspended: true }, finishReason: 'other', unfinished };
  const { reason } = how;
  return {
    metadata: { interrupted: true },
    finishReason: 'interrupted',
    last: { type: 'abort', ...(reason !== undefined && { reason }) },
    unfinished: stopped,
  };
}

/** The end of a turn, from its result. */
export function endOf(result: Fields): TurnEnd {
  const metadata = metadataOf(result);
  const reason = textOr(result['terminal_reason'], '');
  // Only the terminal reason shows an interrupt: the subtype is that of any error, or even of a success.
  if (reason.startsWith('aborted'))
    return {
      metadata: { ...metadata, interrupted: true },
      finishReason: 'interrupted',
      last: { type: 'abort', reason },
      unfinished: stopped,
    };
  // The result of a service that refuses has the subtype of a success.
  if (result['is_error'] === true || (typeof result['subtype'] === 'string' && result['subtype'] !== 'success'))
    return failedEnd({ errorText: errorTextOf(result), remedy: remedyOf(result) }, metadata);
  return { metadata, finishReason: finishReasonOf(result), unfinished };
}

/** The end of a turn that failed. A page that draws the text alone shows what to do about it behind what went wrong. */
function failedEnd(
  { errorText: message, remedy }: { readonly errorText: string; readonly remedy?: string | undefined },
  metadata: UiTurnMetadata = {},
): TurnEnd {
  const errorText = remedy === undefined ? message : `${message}\n${remedy}`;
  return {
    metadata: { ...metadata, failure: { message, ...(remedy !== undefined && { remedy }) } },
    finishReason: 'error',
    last: { type: 'error', errorText },
    unfinished,
  };
}

/** The remedy that `toFailedResult()` of the chat adds to a result. */
function remedyOf({ remedy }: Fields): string | undefined {
  return typeof remedy === 'string' && remedy !== '' ? remedy : undefined;
}

function errorTextOf(result: Fields): string {
  const errors = textsOf(result['errors']).join('\n');
  return errors || textOr(result['result'], `The agent ended the turn with ${textOr(result['subtype'], 'an error')}.`);
}

function finishReasonOf({ stop_reason: reason }: Fields): UiFinishReason {
  switch (reason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'content-filter';
    default:
      // Structured output ends with a call of a tool, and a local command has no reason at all.
      return 'stop';
  }
}

function metadataOf(result: Fields): UiTurnMetadata {
  const denials = recordsOf(result['permission_denials']).map(({ tool_name: name, tool_use_id: id }) => ({
    toolName: textOr(name, 'unknown'),
    toolCallId: textOr(id, ''),
  }));
  const uuids = textsOf(result['user_message_uuids']);
  return defined({
    // Passed on as the agent sent it.
    usage: usageOf(result['usage']),
    cost: costOf(result),
    durationMs: numberOr(result['duration_ms'], undefined),
    terminalReason: textOr(result['terminal_reason'], undefined) as UiTurnMetadata['terminalReason'],
    userMessageIds: uuids.length > 0 ? [...uuids] : undefined,
    denials: denials.length > 0 ? denials : undefined,
  });
}

function usageOf(usage: unknown): UiTurnMetadata['usage'] | undefined {
  const found = recordOf(usage);
  // The fields of a result that the agent sent; a page reads the two that are always there.
  return 'input_tokens' in found ? (found as object as NonNullable<UiTurnMetadata['usage']>) : undefined;
}

/** The cost since the last result is this turn's. The total is that of the session, and so this turn's in the first result. */
function costOf(result: Fields): number | undefined {
  const models = result['model_usage_since_last_result'];
  if (typeof models === 'object' && models !== null)
    return Object.values(models).reduce((sum: number, model) => sum + numberOr(recordOf(model)['costUSD'], 0), 0);
  return result['result_index'] === 0 ? numberOr(result['total_cost_usd'], undefined) : undefined;
}
