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
      this.#values.add(encodeURIComponent(part));
    }
  }

  redact(text: string): string {
    // The longest first: one may be a part of another.
    const found = [...this.#values]
      .filter((value) => text.includes(value))
      .toSorted((one, two) => two.length - one.length);
    return found.reduce((redacted, value) => redacted.replaceAll(value, '[redacted]'), text);
  }
}
