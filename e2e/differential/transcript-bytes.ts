import type { Chance } from '../support/chance.ts';
import { fieldNames, oddValues, pick, type Fields } from './transcript-values.ts';

export interface Writing {
  readonly chance: Chance;
  readonly isDamaged: boolean;
}

/** An entry as a line, sometimes in another form that JSON has for it. */
export function lineOf(entry: Fields, { chance, isDamaged }: Writing): string {
  if (chance.percent(4))
    return JSON.stringify(Object.fromEntries(Object.entries(entry).toSorted(() => chance.below(3) - 1)));
  const json = JSON.stringify(entry);
  if (isDamaged && chance.percent(4))
    return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
      text.replaceAll(/\\.|[a-z]/g, (letter) =>
        letter.length === 1 && chance.percent(5) ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
      ),
    );
  if (chance.percent(1)) return ` ${json}\t`;
  if (isDamaged && chance.percent(1))
    return json.replace('{', `{"${pick(chance, fieldNames)}":${JSON.stringify(pick(chance, oddValues))},`);
  return json;
}

/** Spoils one line: what a crash, a full disk or another program leaves in a file. */
export function spoilLine(lines: Buffer[], chance: Chance): void {
  if (lines.length === 0) return;
  const place = chance.below(lines.length);
  const line = lines[place] ?? Buffer.alloc(0);
  const at = chance.below(line.length + 1);
  const replace = (...parts: (Buffer | string | undefined)[]): void =>
    void (lines[place] = Buffer.concat(parts.map((part) => Buffer.from(part ?? ''))));
  // What is behind a backslash decides whether the text is one.
  if (line[at - 1] === 0x5c) return;
  switch (chance.below(8)) {
    case 0:
      return replace(line.subarray(0, at));
    case 1:
      return replace(line.subarray(0, at), '\n');
    case 2:
      return replace(line.subarray(at));
    case 3:
      return replace(
        line.subarray(0, at),
        Buffer.of(pick(chance, [0xff, 0xc3, 0xed, 0x80, 0x7f, 0x22, 0x7b, 0x7d, 0x5d, 0x2c])),
        line.subarray(at + 1),
      );
    case 4:
      return replace(line.subarray(0, at), Buffer.of(0x20 + chance.below(0x3c)), line.subarray(at));
    case 5:
      return replace(Buffer.alloc(1 + chance.below(5)), line);
    case 6:
      return replace(
        line,
        pick(chance, [
          'null\n',
          '[]\n',
          '7\n',
          '"x"\n',
          '{}\n',
          '{\n',
          '\n',
          'hello\n',
          '\uFEFF{}\n',
          '[{"type":"user"}]\n',
        ]),
      );
    case 7:
      return replace(line.subarray(0, -1), line);
  }
}
