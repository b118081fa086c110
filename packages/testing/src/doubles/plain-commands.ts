import type { CommandReader, CommandReading } from '@hexagent/ports';

/** A program and arguments without anything that a shell could take for more than a text. */
const plain = /^[ \t]*[a-z][\w./-]*(?:[ \t]+[\w./-]+)*[ \t]*$/i;

const anything: CommandReading = {
  parts: [],
  isCertain: false,
  isCompound: true,
  writesFile: true,
  candidates: [],
  scripts: [],
  anything: 'it is more than a program and plain arguments',
};

/** Reads one program with plain arguments, any of which may be a program too. Everything else may run anything. */
export const plainCommands: CommandReader = {
  read(text, shell) {
    if (text.length > 1000 || shell !== 'bash' || !plain.test(text)) return anything;
    const words = text
      .trim()
      .split(/[ \t]+/)
      .map((word) => ({ text: word, form: 'plain' as const }));
    return {
      parts: [words],
      isCertain: true,
      isCompound: false,
      writesFile: false,
      candidates: words.map((_, at) => words.slice(at)),
      scripts: [],
      anything: undefined,
    };
  },
};
