import type { Launch } from './run.ts';
import type { WireFrame } from './stand-in.ts';

/** The flags of a launch, each with its values in order, whether they were written with a space or an equals sign. */
export function flagsOf({ args, files }: Launch): Readonly<Record<string, readonly unknown[]>> {
  const flags: Record<string, unknown[]> = {};
  let last: string | undefined;
  for (const argument of args) {
    const { flag, value } = /^--(?<flag>[\w-]+)(?:=(?<value>.*))?$/s.exec(argument)?.groups ?? {};
    if (flag === undefined) {
      flags[last ?? '']?.splice(-1, 1, read(argument, files));
      last = undefined;
      continue;
    }
    flags[flag] = [...(flags[flag] ?? []), value === undefined ? true : read(value, files)];
    last = value === undefined ? flag : undefined;
  }
  return flags;
}

/** What the input was given, with ids that depend on nothing but the order. */
export function stdinOf({ stdin }: Launch): readonly WireFrame[] {
  const ids = new Map<unknown, string>();
  return stdin.map((frame) => {
    const { uuid: _, ...kept } = frame;
    if (frame['type'] !== 'control_request') return kept;
    const id = ids.get(frame['request_id']) ?? `request ${ids.size}`;
    ids.set(frame['request_id'], id);
    return { ...kept, request_id: id };
  });
}

/** The types of what was written, with the subtype of requests: `initialize`, `user`, `set_model`. */
export function orderOf({ stdin }: Launch): readonly unknown[] {
  return stdin.map(({ type, request }) => (request as { readonly subtype?: unknown } | undefined)?.subtype ?? type);
}

/** The environment, without what the shell adds, and the mark by which ours finds its agents. */
export function envOf({ env }: Launch): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ignored.has(name)));
}

const ignored: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'SHLVL', 'HEXAGENT_AGENT']);

/** Files are compared by what they hold, and JSON by its meaning. */
function read(value: string, files: Launch['files']): unknown {
  const text = files[value] ?? value;
  try {
    return text.startsWith('{') ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}
