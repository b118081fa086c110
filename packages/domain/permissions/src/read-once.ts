import type { CommandReader, CommandReading, CommandShell } from '@hexagent/ports';

/** A call is judged within moments, and of a session few calls at the same time. */
const mostReadings = 8;

/** A reader that keeps its last readings: each place that judges a call of a shell needs that of the same text. */
export function readOnce(reader: CommandReader): CommandReader {
  const readings: Readonly<Record<CommandShell, Map<string, CommandReading>>> = {
    bash: new Map(),
    powershell: new Map(),
  };
  return {
    read(text, shell) {
      const kept = readings[shell];
      const reading = kept.get(text) ?? reader.read(text, shell);
      kept.set(text, reading);
      const [oldest] = kept.keys();
      if (kept.size > mostReadings && oldest !== undefined) kept.delete(oldest);
      return reading;
    },
  };
}
