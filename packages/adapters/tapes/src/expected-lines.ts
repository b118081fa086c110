import { differencesOf, differencesText } from './frame-differences.ts';
import { FrameDescriber } from './describe-frame.ts';
import { requestOf, responseOf, fieldsOf, textOf } from './frame-fields.ts';
import { parseJson } from './parse-json.ts';
import type { TapeTerms } from './tape-terms.ts';
import type { TapeEntry } from './tape-entry.ts';

/** What became of a line that the program sent. */
export type Match =
  | { readonly kind: 'expected' }
  /** It stands for one on the tape and says something else. */
  | { readonly kind: 'different'; readonly text: string }
  /** The tape has no line for it, or none that is left. */
  | { readonly kind: 'extra'; readonly text: string };

interface Expected {
  readonly index: number;
  readonly frame: unknown;
  readonly kind: string;
  readonly text: string;
}

/** The lines that a program sent to one agent on a tape, and those among them that a run of it has sent as well. */
export class ExpectedLines {
  readonly #pending: Expected[];
  readonly #terms: TapeTerms;
  readonly #describer = new FrameDescriber();

  constructor(entries: readonly TapeEntry[], terms: TapeTerms) {
    this.#terms = terms;
    this.#pending = entries.flatMap((entry, index) => {
      const frame = 'in' in entry ? entry.in : 'out' in entry ? entry.out : undefined;
      if ('outLine' in entry) return [{ index, frame: entry.outLine, kind: 'line', text: entry.outLine }];
      const text = this.#describer.describe(frame);
      return 'out' in entry ? [{ index, frame, kind: kindOf(frame), text }] : [];
    });
  }

  /** Whether the line of this entry was not sent yet. */
  awaits(index: number): boolean {
    return this.#pending.some((expected) => expected.index === index);
  }

  /** The descriptions of all that was not sent. */
  get missing(): readonly string[] {
    return this.#pending.map(({ text }) => text);
  }

  /** The run does without this one. */
  skip(index: number): string | undefined {
    return this.#take((expected) => expected.index === index)?.text;
  }

  /**
   * Finds the first line on the tape for which this one stands: an answer by what it answers, all else by its kind, in
   * order. Lines of different kinds may be sent in another order, as when two callbacks run at the same time.
   */
  match(line: string): Match {
    const seen = parseJson(this.#terms.toTape(line)) ?? line;
    const kind = kindOf(seen);
    const expected = this.#take((one) => one.kind === kind);
    if (expected === undefined) return { kind: 'extra', text: this.#describer.describe(seen) };
    this.#terms.learn(expected.frame, seen);
    const differences = differencesOf(expected.frame, seen);
    if (differences.length === 0) return { kind: 'expected' };
    return { kind: 'different', text: `${expected.text}\n${differencesText(differences)}` };
  }

  #take(isWanted: (expected: Expected) => boolean): Expected | undefined {
    const at = this.#pending.findIndex(isWanted);
    return at === -1 ? undefined : this.#pending.splice(at, 1)[0];
  }
}

function kindOf(frame: unknown): string {
  if (typeof frame === 'string') return 'line';
  const type = textOf(fieldsOf(frame)['type']);
  if (type === 'control_response') return `answer to ${textOf(responseOf(frame)['request_id'])}`;
  if (type !== 'control_request') return type;
  const { subtype, server_name: server } = requestOf(frame);
  return [type, textOf(subtype), textOf(server)].join(' ');
}
