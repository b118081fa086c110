import type { SessionSignal } from '@hexagent/ports';

/** PostgreSQL takes less than 8000 bytes at a time. */
const mostBytes = 7900;

/** Signals as texts for NOTIFY, each with as many as it can hold behind the name of the sender. */
export function inPayloads(sender: string, signals: Iterable<SessionSignal>): readonly string[] {
  const payloads: string[][] = [];
  let size = Infinity;
  for (const { kind, session } of signals) {
    // JSON has no line break in it.
    const line = `${kind} ${JSON.stringify(session)}`;
    const bytes = Buffer.byteLength(line) + 1;
    // Nothing can be stored of a session whose id is that long.
    if (bytes + sender.length > mostBytes) continue;
    if (size + bytes > mostBytes) {
      payloads.push([sender]);
      size = sender.length;
    }
    payloads.at(-1)?.push(line);
    size += bytes;
  }
  return payloads.map((lines) => lines.join('\n'));
}

const kinds: readonly string[] = ['wake', 'settled', 'moved', 'crowded'] satisfies SessionSignal['kind'][];

/** The signals of a text, but for those of this sender. Any role of the database can notify, so other lines are left out. */
export function signalsOf(payload: string, sender: string): readonly SessionSignal[] {
  const [from, ...lines] = payload.split('\n');
  return from === sender ? [] : lines.flatMap(signalOf);
}

function signalOf(line: string): readonly SessionSignal[] {
  const [, kind = '', json = ''] = /^(\w+) (".*")$/su.exec(line) ?? [];
  if (!kinds.includes(kind)) return [];
  try {
    const session: unknown = JSON.parse(json);
    return typeof session === 'string' ? [{ kind: kind as SessionSignal['kind'], session }] : [];
  } catch {
    return [];
  }
}
