/** The requirements of a program, read from its first bytes. */
export type ProgramNeeds =
  | {
      readonly kind: 'interpreter';
      readonly path: string;
      /** The program that `env` finds in `PATH`. */
      readonly command?: string | undefined;
      /** The arguments of the command; `undefined` when only `env` itself can read the line. */
      readonly args?: readonly string[] | undefined;
    }
  | { readonly kind: 'loader'; readonly path: string }
  /** Needs nothing that could be missing, or has another form, which the system checks itself. */
  | { readonly kind: 'nothing' };

/** Enough for the first line of a script and the header of a binary. */
export const headBytes = 4096;

export function programNeeds(head: Buffer): ProgramNeeds {
  if (head.subarray(0, 2).toString('latin1') === '#!') return scriptNeeds(head);
  if (head.length >= 64 && head.readUInt32BE(0) === 0x7f454c46) return elfNeeds(head);
  return { kind: 'nothing' };
}

function scriptNeeds(head: Buffer): ProgramNeeds {
  const line = head.subarray(2).toString().split('\n', 1)[0] ?? '';
  // The carriage return of a Windows line end stays on the path, as it does for the system.
  const [path = '', ...words] = line.trimStart().split(/[ \t]+/);
  if (!path.endsWith('/env')) return { kind: 'interpreter', path };
  const command = words.find((word) => word !== '-S' && !/^\w+=/.test(word));
  if (command === undefined || command.startsWith('-')) return { kind: 'interpreter', path };
  return { kind: 'interpreter', path, command, args: argumentsOf(words, command) };
}

/** The system splits the line once, at the first space; `-S` splits the rest, and reads quotes in another way. */
function argumentsOf(words: readonly string[], command: string): readonly string[] | undefined {
  if (words.length === 1) return [];
  const [split, first, ...args] = words.filter((word) => word !== '');
  const isPlain = split === '-S' && first === command && args.every((word) => /^[\w./:=@,-]+$/.test(word));
  return isPlain ? args : undefined;
}

/** Reads the name of the loader (PT_INTERP). A static program has none. Only 64-bit little-endian, which is all there is. */
function elfNeeds(head: Buffer): ProgramNeeds {
  const [is64, isLittle] = [head[4] === 2, head[5] === 1];
  if (!is64 || !isLittle) return { kind: 'nothing' };
  const table = Number(head.readBigUInt64LE(0x20));
  const [size, count] = [head.readUInt16LE(0x36), head.readUInt16LE(0x38)];
  for (let at = table; at < table + size * count && at + 0x38 <= head.length; at += size) {
    if (head.readUInt32LE(at) !== 3) continue;
    const [offset, length] = [Number(head.readBigUInt64LE(at + 8)), Number(head.readBigUInt64LE(at + 0x20))];
    const path = head
      .subarray(offset, offset + length)
      .toString()
      .replace(/\0.*$/s, '');
    return path === '' ? { kind: 'nothing' } : { kind: 'loader', path };
  }
  return { kind: 'nothing' };
}
