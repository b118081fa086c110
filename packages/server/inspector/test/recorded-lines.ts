import { readFileSync } from 'node:fs';

const folder = new URL('../../../testing/fixtures/', import.meta.url);

interface Recorded {
  readonly dir: 'in' | 'meta' | 'out';
  readonly t: number;
  readonly frame: Readonly<Record<string, unknown>>;
}

/** A recording of the real CLI as the lines of a tape. There `in` is what was written to the CLI; on a tape it is what came from it. */
export function recordedLines(file: string): readonly string[] {
  const recorded: readonly Recorded[] = readFileSync(new URL(file, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Recorded => JSON.parse(line));
  const entries = recorded.flatMap(({ dir, t, frame }) => {
    if (dir !== 'meta') return [{ t, agent: 1, [dir === 'in' ? 'out' : 'in']: frame }];
    const mark = markOf(frame);
    return mark === undefined ? [] : [{ t, agent: 1, ...mark }];
  });
  return [
    JSON.stringify({ tape: 1, started: '2026-11-18T06:00:00.000Z' }),
    ...entries.map((entry) => JSON.stringify(entry)),
  ];
}

function markOf({ event, args, cwd, code, signal }: Recorded['frame']): object | undefined {
  if (event === 'spawn') return { launch: { args, env: {}, cwd, initialize: {} } };
  if (event === 'exit') return { exit: { code, signal, stderr: '' } };
  return event === 'stdin_end' ? { end: true } : undefined;
}
