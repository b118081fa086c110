import { fieldsOf, textOf, type Fields } from './frame-fields.ts';
import type { Tape } from './read-tape.ts';

/** What happened on a tape, in figures. */
export interface TapeSummary {
  /** How the last turn ended: `unfinished` without a result, `none` where nothing was sent. */
  readonly outcome: 'completed' | 'failed' | 'interrupted' | 'unfinished' | 'none';
  /** How many results there are, of all agents. */
  readonly turns: number;
  /** How often each tool was called, by name. */
  readonly tools: Readonly<Record<string, number>>;
  /** Dollars, as the agents counted them. */
  readonly cost: number;
  /** Between the first and the last entry. */
  readonly seconds: number;
  /** The text of the last result. */
  readonly text: string;
}

/** Reads the figures of a tape from its frames. */
export function summaryOf({ entries }: Tape): TapeSummary {
  const frames = entries.flatMap((entry) => ('in' in entry ? [{ agent: entry.agent, frame: fieldsOf(entry.in) }] : []));
  const results = frames.filter(({ frame }) => frame['type'] === 'result');
  // The sum of an agent is in its last result.
  const costs = new Map(results.map(({ agent, frame }) => [agent, Number(frame['total_cost_usd'] ?? 0)]));
  const [first, last] = [entries[0], entries.at(-1)];
  return {
    outcome: outcomeOf(entries, results.at(-1)?.frame),
    turns: results.length,
    tools: toolsOf(frames.map(({ frame }) => frame)),
    cost: [...costs.values()].reduce((sum, cost) => sum + cost, 0),
    seconds: first === undefined || last === undefined ? 0 : (last.t - first.t) / 1000,
    text: textOf(results.at(-1)?.frame['result']),
  };
}

function outcomeOf(entries: Tape['entries'], result: Fields | undefined): TapeSummary['outcome'] {
  const asked = entries.findLastIndex((entry) => 'out' in entry && fieldsOf(entry.out)['type'] === 'user');
  const answered = entries.findLastIndex((entry) => 'in' in entry && fieldsOf(entry.in)['type'] === 'result');
  if (answered < asked) return 'unfinished';
  if (result === undefined) return 'none';
  if (textOf(result['terminal_reason']).startsWith('aborted')) return 'interrupted';
  return result['is_error'] === true || result['subtype'] !== 'success' ? 'failed' : 'completed';
}

/** A call stands in the message of the model once, and again where the agent repeats that message. */
function toolsOf(frames: readonly Fields[]): Readonly<Record<string, number>> {
  const calls = new Map<string, string>();
  for (const { type, message } of frames) {
    const { content } = fieldsOf(message);
    if (type !== 'assistant' || !Array.isArray(content)) continue;
    for (const block of content.map(fieldsOf)) {
      if (block['type'] === 'tool_use') calls.set(textOf(block['id']), textOf(block['name']));
    }
  }
  const names = [...calls.values()];
  return Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));
}
