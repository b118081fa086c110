import { SdkError, type AnyMessage } from '@hexagent/ports';
import { MessageAssembler } from './message-assembler.ts';

/** Between the texts of two answers of the model, which a tool call or something else separates. */
const gap = '\n\n';

/** The text of a turn in pieces. It always ends with the text of the result. */
export class TextFold {
  readonly #assembler = new MessageAssembler();
  /** The answer that arrives, and its text as far as it was returned. */
  #id: string | undefined;
  #shown = '';
  /** The answers of which text was returned. */
  readonly #ids = new Set<string>();
  #hasResult = false;

  /** @throws {SdkError} `TEXT_TAKEN_BACK` */
  push(message: AnyMessage): string {
    // What follows is of turns that background tasks begin.
    if (this.#hasResult) return '';
    this.#hasResult = message.type === 'result';
    let piece = '';
    for (const { id, text } of this.#assembler.push(message)) piece += this.#advance(id, text);
    return piece;
  }

  /** What the result has and no answer had, such as structured output. */
  end(text: string): string {
    if (this.#shown.endsWith(text)) return '';
    return this.#ids.size === 0 ? text : gap + text;
  }

  #advance(id: string, text: string): string {
    if (id !== this.#id && text !== '') {
      const isFirst = this.#ids.size === 0;
      this.#ids.add(id);
      [this.#id, this.#shown] = [id, text];
      return isFirst ? text : gap + text;
    }
    if (id !== this.#id ? this.#ids.has(id) : !text.startsWith(this.#shown)) throw takenBack();
    if (id !== this.#id) return '';
    const piece = text.slice(this.#shown.length);
    this.#shown = text;
    return piece;
  }
}

function takenBack(): SdkError {
  return new SdkError(
    'TEXT_TAKEN_BACK',
    'A part of the text that was read before does not count: the connection to the model broke, or another model answers in its place.',
  );
}
