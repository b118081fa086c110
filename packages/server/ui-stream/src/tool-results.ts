import { isRecord } from '@hexagent/checks';
import { plainText, recordsOf, textOr, type Fields } from './loose.ts';
import { withoutResult, type ToolOutcome } from './tool-calls.ts';

/** The results of tools in a message of a user, by the call that each is of. */
export function toolResultsIn(message: Fields, content: unknown): ReadonlyMap<string, ToolOutcome> {
  const results = recordsOf(content).filter(({ type }) => type === 'tool_result');
  const kinds = new Map(recordsOf(message['tool_result_meta']).map(({ id, non_execution_kind: kind }) => [id, kind]));
  // With results of several tools in one message, it is not defined which of them the structure belongs to.
  const structured = results.length === 1 ? message['tool_use_result'] : undefined;
  return new Map(
    results.map((result) => {
      const id = textOr(result['tool_use_id'], '');
      return [id, outcomeOf(result, kinds.get(id), structured)];
    }),
  );
}

/** Why a call did not run, where that is a decision about it. */
const denials: ReadonlySet<unknown> = new Set(['permission-rule', 'user-rejected']);

function outcomeOf({ content, is_error: isError }: Fields, kind: unknown, structured: unknown): ToolOutcome {
  const text = plainText(content);
  if (denials.has(kind)) return { kind: 'denied', text: text || 'It was not allowed.' };
  if (kind === 'interrupted') return { kind, text: text || withoutResult };
  if (isError === true) return { kind: 'error', text: text || 'The tool failed.' };
  if (!isRecord(structured)) return { kind: 'output', output: onlyText(content) ? text : content };
  return { kind: 'output', output: structured, modelText: text };
}

function onlyText(content: unknown): boolean {
  return !Array.isArray(content) || recordsOf(content).every(({ type }) => type === 'text');
}
