const named: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const escapes =
  /\\(?:x([\dA-Fa-f]{1,2}|\{[\dA-Fa-f]{1,8}\}?)|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3})|c[\s\S]|([\s\S]))/g;

/** The text that a shell makes of what stands in `$'…'`. */
export function decodedText(written: string): string {
  return written.replaceAll(
    escapes,
    (_, byte?: string, short?: string, long?: string, octal?: string, other?: string) => {
      // A shell keeps the lowest eight bits.
      if (octal !== undefined) return characterOf(Number.parseInt(octal, 8) % 256);
      const digits = byte?.replaceAll(/[{}]/g, '') ?? short ?? long;
      if (digits !== undefined) return characterOf(Number.parseInt(digits, 16));
      return other === undefined ? '' : (named[other] ?? other);
    },
  );
}

const characterOf = (code: number): string => (code > 0x10ffff ? '' : String.fromCodePoint(code));
