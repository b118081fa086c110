import { FrameDescriber } from './describe-frame.ts';
import { fieldsOf, textOf } from './frame-fields.ts';
import type { Tape } from './read-tape.ts';
import type { Redaction, TapeEntry } from './tape-entry.ts';

/** A tape for a person to read: one line for each entry; partial messages are counted unless `isWhole`. */
export function showText(
  { header, entries, isCut }: Tape,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): string {
  const describers = new Map<number, FrameDescriber>();
  const hasSeveral = entries.some(({ agent }) => agent > 1);
  const lines = [`Recorded ${header.started}`];
  let pieces = 0;
  const flush = (): void => {
    if (pieces > 0) lines.push(`${' '.repeat(hasSeveral ? 17 : 12)}← ${pieces} partial messages`);
    pieces = 0;
  };
  for (const entry of entries) {
    if (!isWhole && isPartial(entry)) {
      pieces += 1;
      continue;
    }
    flush();
    const describer = describers.get(entry.agent) ?? new FrameDescriber();
    describers.set(entry.agent, describer);
    const seconds = `${(entry.t / 1000).toFixed(3)} s`.padStart(11);
    lines.push(`${seconds} ${hasSeveral ? `#${entry.agent}`.padEnd(5) : ''}${entryText(entry, describer)}`);
  }
  flush();
  if (isCut) lines.push('The last line was cut off.');
  lines.push(...redactionsText(entries));
  return lines.map((line) => `${line}\n`).join('');
}

const isPartial = (entry: TapeEntry): boolean => 'in' in entry && fieldsOf(entry.in)['type'] === 'stream_event';

function entryText(entry: TapeEntry, describer: FrameDescriber): string {
  if ('out' in entry) return `→ ${describer.describe(entry.out)}`;
  if ('in' in entry) return `← ${describer.describe(entry.in)}`;
  if ('outLine' in entry) return `→ not JSON: ${entry.outLine}`;
  if ('inLine' in entry) return `← not JSON: ${entry.inLine}`;
  if ('launch' in entry) return `  started in ${entry.launch.cwd ?? 'the folder of the program'}`;
  if ('exit' in entry)
    return `  exited with ${entry.exit.signal ?? `code ${entry.exit.code}`}${entry.exit.closed ? ', closed by the program' : ''}`;
  if ('failed' in entry) return `  could not be started: ${entry.failed.message}`;
  if ('broken' in entry) return `  cannot be read any more: ${entry.broken.message}`;
  if ('close' in entry) return `→ closes the connection ${entry.close}`;
  if ('end' in entry) return '→ ends the input';
  return 'pause' in entry ? '  the program stops reading' : '  the program reads again';
}

/** What was taken out, with the reason, and how often. */
function redactionsText(entries: readonly TapeEntry[]): readonly string[] {
  const all = entries.flatMap(({ redacted = [] }) => redacted);
  const counts = new Map<Redaction['what'], number>();
  for (const { what } of all) counts.set(what, (counts.get(what) ?? 0) + 1);
  if (all.length === 0) return [];
  const parts = [...counts].map(([what, count]) => `${count} × ${textOf(what)}`);
  return [`Redacted: ${parts.join(', ')}. \`redacted\` of each entry has the paths.`];
}
