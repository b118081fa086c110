import type { Warning } from '@hexagent/ports';

/** For programs that set `strict`, and so do not start where they would be warned. */
export function throwWarning({ message }: Warning): never {
  throw new TypeError(`${message} Without \`strict\` this is a warning.`);
}
