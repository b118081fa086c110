import { isInherited } from './inherited-environment.ts';
import type { ExternalOptions } from './server-options.ts';

/** Shorter values are texts such as `true`, which would make a message unreadable. */
const shortest = 6;

/** Values that must not appear in a message. */
export class Secrets {
  readonly #values = new Set<string>();

  add(value: unknown): void {
    if (typeof value !== 'string') return;
    // `Bearer abc`: a server that complains of the token repeats it without its scheme.
    for (const part of [value, ...value.split(/\s+/)]) {
      if (part.length < shortest) continue;
      this.#values.add(part);
      // Half of a surrogate pair cannot be encoded; it is sent as the same replacement character.
      this.#values.add(encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '\ufffd')));
    }
  }

  redact(text: string): string {
    // The longest first: one may be a part of another.
    const found = [...this.#values]
      .filter((value) => text.includes(value))
      .toSorted((one, two) => two.length - one.length);
    return found.reduce((redacted, value) => redacted.replaceAll(value, '[redacted]'), text);
  }

  /** The same for the end of a text that was cut: it may begin within a value. */
  redactTail(tail: string): string {
    const redacted = this.redact(tail);
    const cut = Math.max(0, ...[...this.#values].map((value) => lengthOfRest(value, redacted)));
    return cut === 0 ? redacted : `[redacted]${redacted.slice(cut)}`;
  }

  /** The same for all texts of a value that was JSON. */
  redactWithin(value: unknown): unknown {
    const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? this.redact(part) : part));
    return JSON.parse(text);
  }
}

/** How much of a value's end the text begins with. */
function lengthOfRest(value: string, text: string): number {
  for (let length = value.length - 1; length >= shortest; length -= 1)
    if (text.startsWith(value.slice(-length))) return length;
  return 0;
}

/** The values in the options of a server that may be secret. */
export function secretsOf(options: ExternalOptions): Secrets {
  const secrets = new Secrets();
  if ('url' in options) {
    for (const value of Object.values(options.headers ?? {})) secrets.add(value);
    const { pathname, searchParams } = new URL(options.url);
    for (const value of searchParams.values()) secrets.add(value);
    // Some services have the key in the path.
    for (const part of pathname.split('/')) if (part.length >= 16) secrets.add(part);
  } else {
    // A path of ours is no secret, and belongs into the message about a program that is not found.
    for (const [name, value] of Object.entries(options.env ?? {})) if (!isInherited(name)) secrets.add(value);
  }
  return secrets;
}
