import { valueSchemaOf, type ValueSchema } from '@hexagent/mcp-sdk-server';
import {
  SdkError,
  type ContentBlock,
  type InterruptOutcome,
  type Turn,
  type TurnOutcome,
  type UserInput,
} from '@hexagent/ports';
import type { MessageSnapshot } from '../reading/message-snapshot.ts';
import { parsePartialJson } from '../reading/partial-json.ts';
import { checkOutput, refusedText, withoutOutput, type OutputReader } from './checked-output.ts';
import type { OutputOutcome } from './output-schema.ts';

const place = '`options.output`';

/**
 * The output of one turn in a session without a schema. The agent takes a schema at its start only, so the message asks for JSON, and the
 * text of the answer is read.
 */
export class TurnOutput implements OutputReader {
  readonly #schema: ValueSchema;
  readonly #request: string;

  #ask: ((message: UserInput) => Turn) | undefined;
  /** The turn in which the model corrects its answer, once it has begun. */
  #repairing: Turn | undefined;

  /**
   * @param ask sends what the model is to correct, once; left out, it corrects nothing.
   * @throws {TypeError} for anything but a schema that can be written as a JSON Schema at once.
   */
  constructor(schema: unknown, ask?: (message: UserInput) => Turn) {
    this.#ask = ask;
    this.#schema = valueSchemaOf(schema, place);
    const { json } = this.#schema;
    if (typeof json === 'function')
      throw new TypeError(
        `${place} becomes a JSON Schema only after something is loaded, and a message is sent at once. Pass a schema of zod 4.2 or later, or a JSON Schema.`,
      );
    this.#request = `Answer with one JSON value and nothing else. It has to pass this JSON Schema:\n${JSON.stringify(json)}`;
  }

  /** Interrupts the turn, or the one that corrects it. None begins after this. */
  interrupt(turn: Turn): Promise<InterruptOutcome> {
    this.#ask = undefined;
    return (this.#repairing ?? turn).interrupt();
  }

  /** The message, which also asks for the output. */
  askFor(input: string | UserInput): UserInput {
    const { content, ...others } = typeof input === 'string' ? { content: input } : input;
    const blocks: readonly ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { ...others, content: [...blocks, { type: 'text', text: this.#request }] };
  }

  async check(outcome: TurnOutcome): Promise<OutputOutcome<unknown>> {
    const checked = await this.#checkOnce(outcome);
    if (checked.kind !== 'failed' || checked.cause !== 'output') return checked;
    const turn = this.#askAgain(checked.message);
    if (turn === undefined) return checked;
    const repaired = await this.#checkOnce(await turn.result);
    if (repaired.kind !== 'failed') return repaired;
    return { ...repaired, attempts: [...(checked.attempts ?? []), ...(repaired.attempts ?? [])] };
  }

  /** `undefined` where nothing may or can be sent any more. */
  #askAgain(problem: string): Turn | undefined {
    try {
      this.#repairing = this.#ask?.(this.askFor(problem));
      return this.#repairing;
    } catch (error) {
      if (SdkError.is(error)) return undefined;
      throw error;
    }
  }

  async #checkOnce(outcome: TurnOutcome): Promise<OutputOutcome<unknown>> {
    if (outcome.kind !== 'completed') return outcome;
    const found = jsonIn(outcome.text);
    const checked =
      found === undefined ? { problem: 'The answer is not JSON.' } : await checkOutput(this.#schema, found.value);
    if (!('problem' in checked)) return { ...outcome, output: checked.value };
    const value = found === undefined ? outcome.text : found.value;
    return withoutOutput(outcome, refusedText(checked), [{ value, problem: checked.problem }]);
  }

  partsIn({ text }: MessageSnapshot): readonly unknown[] {
    const start = text.search(/[[{]/);
    const part = start < 0 ? undefined : parsePartialJson(text.slice(start));
    return part === undefined ? [] : [part];
  }
}

/** The JSON value of an answer. Models put it into a code block, or write a sentence before or behind it, although they were asked not to. */
function jsonIn(text: string): { readonly value: unknown } | undefined {
  const fenced = [...text.matchAll(/^```(?:json)?\n(.*?)^```/gms)].at(-1)?.[1];
  const bracketed = /[[{].*[\]}]/s.exec(text)?.[0];
  for (const candidate of [text, fenced, bracketed]) {
    try {
      if (candidate !== undefined) return { value: JSON.parse(candidate) };
    } catch {
      // The next one may be JSON.
    }
  }
  return undefined;
}
