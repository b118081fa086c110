/** A place where the text could end, with what would close it there. */
interface SafeEnd {
  readonly at: number;
  readonly closing: string;
}

/**
 * The value of a JSON text of which the end is missing: without what may still become something else, such as a key without
 * its value or the digits at the end. A text is kept as far as it has arrived. `undefined` for a text that is not JSON.
 */
export function parsePartialJson(json: string): unknown {
  const { at, closing } = new PartialScan(json).lastSafeEnd();
  try {
    return JSON.parse(json.slice(0, at) + closing);
  } catch {
    return undefined; // not JSON, or nothing of its value has arrived
  }
}

const blank: ReadonlySet<string> = new Set([' ', '\n', '\r', '\t']);
const separators: ReadonlySet<string> = new Set([',', '}', ']', ...blank]);

/** Walks through a text once. What is malformed is not noticed here, since the parser refuses it. */
class PartialScan {
  readonly #json: string;
  #at = 0;
  /** What closes the objects and lists that are open. */
  #closers = '';
  #safe: SafeEnd = { at: 0, closing: '' };
  #expectsKey = false;

  constructor(json: string) {
    this.#json = json;
  }

  lastSafeEnd(): SafeEnd {
    while (this.#at < this.#json.length) this.#step(this.#json.charAt(this.#at));
    return this.#safe;
  }

  #step(char: string): void {
    if (char === '"') return this.#text();
    if (char === '{' || char === '[') this.#open(char);
    else if (char === '}' || char === ']') this.#close();
    else if (char === ',') this.#expectsKey = this.#closers.startsWith('}');
    else if (char !== ':' && !blank.has(char)) return this.#literal();
    this.#at += 1;
  }

  #open(char: '{' | '['): void {
    this.#closers = (char === '{' ? '}' : ']') + this.#closers;
    this.#expectsKey = char === '{';
    this.#isSafe(this.#at + 1);
  }

  #close(): void {
    this.#closers = this.#closers.slice(1);
    this.#expectsKey = false;
    this.#isSafe(this.#at + 1);
  }

  #text(): void {
    const isKey = this.#expectsKey;
    this.#expectsKey = false;
    let end = this.#at + 1;
    while (end < this.#json.length && this.#json.charAt(end) !== '"') {
      const next = end + escapeLength(this.#json, end);
      if (next > this.#json.length) break;
      end = next;
    }
    const isClosed = this.#json.charAt(end) === '"';
    if (!isKey) this.#isSafe(isClosed ? end + 1 : end, isClosed ? '' : '"');
    this.#at = isClosed ? end + 1 : this.#json.length;
  }

  /** A number, `true`, `false` or `null`, which is complete only where something follows. */
  #literal(): void {
    let end = this.#at;
    while (end < this.#json.length && !separators.has(this.#json.charAt(end))) end += 1;
    if (end < this.#json.length) this.#isSafe(end);
    this.#at = end;
  }

  #isSafe(at: number, quote = ''): void {
    this.#safe = { at, closing: quote + this.#closers };
  }
}

/** How many characters of a text belong together, so that it can be cut behind them. */
function escapeLength(json: string, at: number): number {
  if (json.charAt(at) !== '\\') return 1;
  return json.charAt(at + 1) === 'u' ? 6 : 2;
}
