import { createInterface } from 'node:readline/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { styleText } from 'node:util';
import { WordWrap } from './word-wrap.ts';

const indent = '  ';
const width = Math.min(process.stdout.columns || 80, 100) - 1;

/** Prints for a person and asks them. Without a terminal, or with `--yes`, every question has an answer at once. */
export class Terminal {
  readonly #yes: boolean;
  readonly #asks: boolean;
  readonly #left: AbortController;
  readonly #text = new WordWrap(process.stdout, { width, indent });
  #asked: Promise<unknown> = Promise.resolve();

  /** @param left Aborted when the person leaves at a question: by Ctrl-C, Ctrl-D or Ctrl-\, or by closing the input. */
  constructor({ yes, left }: { readonly yes: boolean; readonly left: AbortController }) {
    this.#yes = yes;
    this.#asks = !yes && process.stdin.isTTY;
    this.#left = left;
  }

  heading(text: string): void {
    this.#text.endLine();
    console.log(`\n${styleText('bold', text)}`);
  }

  /** A whole paragraph. */
  line(text: string): void {
    this.begin(text);
    this.#text.endLine();
  }

  /** A paragraph unless the text is empty. */
  notice(text: string): void {
    if (text !== '') this.line(text);
  }

  /** The beginning of a paragraph that `write()` continues with. */
  begin(text: string): void {
    this.#text.endLine();
    this.#text.write(text);
  }

  /** A piece of a text as it arrives. */
  write(text: string): void {
    this.#text.write(text);
  }

  /** Waits, so that the person can read. */
  async pause(ms: number): Promise<void> {
    if (this.#asks) await setTimeout(ms, undefined, { signal: this.#left.signal });
  }

  async readLine(label: string, otherwise: string): Promise<string> {
    if (!this.#asks) {
      this.line(`${label}: ${otherwise}`);
      return otherwise;
    }
    const answer = await this.#ask(`${label} (Enter for "${otherwise}"): `, this.#left.signal);
    return answer.trim() || otherwise;
  }

  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    // Earlier text may not be printed yet.
    await setImmediate();
    if (!this.#asks) {
      this.line(`${question} ${this.#yes ? 'y (--yes)' : 'n (there is no terminal to ask; see --yes)'}`);
      return this.#yes;
    }
    // No answer: the person has left, or the agent no longer waits.
    const ask = (): Promise<string> => this.#ask(`${question} [y/n] `, signal).catch(() => 'no');
    for (;;) {
      const answer = (await ask()).trim().toLowerCase();
      if (answer === 'y' || answer === 'yes') return true;
      if (answer === 'n' || answer === 'no') return false;
      this.line('Please answer with y or n.');
    }
  }

  /** One question at a time: an agent may ask for several tools at once. */
  #ask(question: string, signal: AbortSignal): Promise<string> {
    const answer = this.#asked.then(() => this.#question(question, AbortSignal.any([signal, this.#left.signal])));
    this.#asked = answer.catch(() => {});
    return answer;
  }

  async #question(question: string, signal: AbortSignal): Promise<string> {
    this.#text.endLine();
    const input = createInterface({ input: process.stdin, output: process.stdout });
    // A question that is closed without an answer stays open for ever on some versions of Node: hence the signal.
    const leave = (): void => this.#left.abort(130);
    input.once('close', leave);
    // While a question is open, the terminal sends no signal for Ctrl-\, and it would become a part of the answer.
    const quit = (_: unknown, { sequence }: { readonly sequence?: string }): void => {
      if (sequence === '\u001C') this.#left.abort(131);
    };
    process.stdin.on('keypress', quit);
    try {
      return await input.question(indent + question, { signal });
    } finally {
      process.stdin.off('keypress', quit);
      input.off('close', leave);
      input.close();
    }
  }
}
