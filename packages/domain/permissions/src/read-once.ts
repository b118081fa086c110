import type { CommandReader, CommandReading, CommandShell } from '@hexagent/ports';

/** A call is judged within moments, and of a session few calls at the same time. */
const mostReadings = 32;
const longestKept = 10_000;

/** A reader that keeps its last readings: each place that judges a call of a shell needs that of the same text. */
export function readOnce(reader: CommandReader): CommandReader {
  const readings: Readonly<Record<CommandShell, Map<string, CommandReading>>> = {
    bash: new Map(),
    powershell: new Map(),
  };
  return {
    read(text, shell) {
      const kept = readings[shell];
      const existing = kept.get(text);
      if (existing !== undefined) return existing;
      const reading = reader.read(text, shell);
      if (text.length > longestKept) return reading;
      keepLast(kept.set(text, reading), mostReadings);
      return reading;
    },
  };
}

/** Removes the oldest entries of a map that has more than so many. */
export function keepLast(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
