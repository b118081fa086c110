import { errorText } from '@hexagent/checks';
import { lastUserText, type ModelRequest } from './requests.ts';
import { apiError, toTurn, type Turn, type TurnLike } from './turns.ts';

/** Returns the turn for a request. */
export type Answerer = (request: ModelRequest) => TurnLike | Promise<TurnLike>;

/** The turns of the model, in order, or a function of the request. */
export type Script = readonly TurnLike[] | Answerer;

/** Returns the turn for each request, or an error when the script is exhausted. */
export class ScriptReader {
  readonly #answerer: Answerer | undefined;
  readonly #turns: Turn[] = [];
  #given = 0;

  constructor(script: Script) {
    if (typeof script === 'function') this.#answerer = script;
    else this.add(script);
  }

  add(turns: readonly TurnLike[]): void {
    if (this.#answerer) throw new TypeError('A loopback that answers by a function takes no further turns.');
    for (const turn of turns.map(toTurn)) {
      const times = turn.type === 'reply' ? 1 : turn.times;
      for (let count = 0; count < times; count += 1) this.#turns.push(turn);
    }
  }

  get remaining(): number {
    return this.#turns.length - this.#given;
  }

  async next(request: ModelRequest): Promise<Turn> {
    if (this.#answerer) return await answer(this.#answerer, request);
    const turn = this.#turns[this.#given];
    if (turn === undefined) return exhausted(this.#turns.length, request);
    this.#given += 1;
    return turn;
  }
}

async function answer(answerer: Answerer, request: ModelRequest): Promise<Turn> {
  try {
    return toTurn(await answerer(request));
  } catch (error) {
    return refusal(`The loopback's answering function failed: ${errorText(error)}`);
  }
}

function exhausted(length: number, request: ModelRequest): Turn {
  const asked = JSON.stringify(lastUserText(request).slice(0, 200));
  return refusal(
    `The loopback script is exhausted: it has ${length} turns, and this is request ${request.index + 1}, asking ${asked}.`,
  );
}

function refusal(message: string): Turn {
  // The CLI does not retry this status, and its result is "API Error: 402 …" with the whole message.
  return apiError(402, { message, errorType: 'invalid_request_error' });
}
