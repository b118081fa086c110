import { Spending } from './amounts.ts';
import { isJson, objectAt, textAt, type Json } from './entry.ts';
import type { Noted } from './facts.ts';
import type { Turn } from './run.ts';

interface Waiting {
  readonly uuid: string;
  readonly text: string;
}

/** The turns of one agent, and which messages of the program each of them answers. */
export class TurnFold {
  readonly #turns: Turn[];
  readonly #spending = new Spending();
  /** Messages that the program sent while a turn ran. */
  #waiting: readonly Waiting[] = [];

  constructor(turns: Turn[]) {
    this.#turns = turns;
  }

  /** The turn that runs. */
  get #running(): Turn | undefined {
    const last = this.#turns.at(-1);
    return last?.to === undefined ? last : undefined;
  }

  /** A message begins a turn, or waits for the end of the one that runs. */
  noteMessage(frame: Json, noted: Noted): void {
    const isFirst = this.#running === undefined;
    const message = { uuid: textAt(frame, 'uuid'), text: textOfMessage(frame) };
    this.#waiting = isFirst ? [message, ...this.#waiting] : [...this.#waiting, message];
    if (isFirst) this.start(noted);
  }

  /** A turn that the program did not send has no message. */
  start({ t, index }: Noted): void {
    if (this.#running !== undefined) return;
    const [first, ...others] = this.#waiting;
    this.#waiting = others;
    this.#turns.push({
      number: this.#turns.length + 1,
      prompts: first === undefined ? [] : [first.text],
      from: t,
      firstRow: index,
      to: undefined,
      outcome: 'running',
      hasFailed: false,
      amounts: undefined,
      calls: 0,
    });
  }

  /** The agent takes messages by their priority, and reports which one it takes next. */
  noteLifecycle(frame: Json): void {
    if (frame['state'] !== 'started') return;
    const isTaken = ({ uuid }: Waiting): boolean => uuid !== '' && uuid === frame['command_uuid'];
    this.#waiting = [...this.#waiting.filter(isTaken), ...this.#waiting.filter((each) => !isTaken(each))];
  }

  end(result: Json, t: number): void {
    const amounts = this.#spending.amountsOf(result);
    const turn = this.#running;
    if (turn === undefined) return;
    const uuids = result['user_message_uuids'];
    const answered = this.#waiting.filter(({ uuid }) => Array.isArray(uuids) && uuids.includes(uuid));
    this.#waiting = this.#waiting.filter((each) => !answered.includes(each));
    turn.prompts.push(...answered.map(({ text }) => text));
    Object.assign(turn, { to: t, amounts, ...outcomeOf(result) } satisfies Partial<Turn>);
  }

  /** The agent is gone. */
  abandon(t: number): void {
    const ending = { to: t, outcome: 'not finished: the agent exited', hasFailed: true } satisfies Partial<Turn>;
    if (this.#running !== undefined) Object.assign(this.#running, ending);
  }
}

function outcomeOf(result: Json): Pick<Turn, 'hasFailed' | 'outcome'> {
  const subtype = textAt(result, 'subtype');
  const reason = textAt(result, 'terminal_reason');
  const hasFailed = result['is_error'] === true || (subtype !== 'success' && subtype !== '');
  if (hasFailed && subtype === 'success') return { hasFailed, outcome: 'failed' };
  return { hasFailed, outcome: reason !== '' && reason !== 'completed' ? reason : subtype || 'ended' };
}

/** The text of a message of the program. */
export function textOfMessage(frame: Json): string {
  const { content } = objectAt(frame, 'message');
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts: readonly unknown[] = content;
  return parts
    .filter(isJson)
    .map((block) => textAt(block, 'text') || `[${textAt(block, 'type')}]`)
    .join(' ');
}
