/** Writes text that arrives in pieces, and breaks its lines between words. */
export class WordWrap {
  readonly #output: { write(text: string): unknown };
  readonly #width: number;
  readonly #indent: string;
  #column = 0;
  #gap = '';
  #word = '';

  constructor(output: { write(text: string): unknown }, { width, indent }: { width: number; indent: string }) {
    this.#output = output;
    this.#width = width;
    this.#indent = indent;
  }

  /** A word is written once its end is known: by a space, or by `endLine()`. */
  write(text: string): void {
    for (const part of text.split(/(\s)/)) {
      if (part === '\n') this.endLine();
      else if (/^\s$/.test(part)) {
        this.#endWord();
        this.#gap = ' ';
      } else this.#word += part;
    }
  }

  /** Does nothing at the start of a line. */
  endLine(): void {
    this.#endWord();
    if (this.#column > 0) this.#output.write('\n');
    this.#column = 0;
    this.#gap = '';
  }

  #endWord(): void {
    if (this.#word === '') return;
    if (this.#column + this.#gap.length + this.#word.length > this.#width) {
      this.#output.write('\n');
      this.#column = 0;
    }
    const start = this.#column === 0 ? this.#indent : this.#gap;
    this.#output.write(start + this.#word);
    this.#column += start.length + this.#word.length;
    this.#gap = '';
    this.#word = '';
  }
}
