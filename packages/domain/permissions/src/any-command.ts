import type { CommandReader, CommandReading } from '@hexagent/ports';

const reading: CommandReading = {
  parts: [],
  isCertain: false,
  isCompound: true,
  writesFile: true,
  candidates: [],
  scripts: [],
  anything: 'nothing reads commands here',
};

/** Reads nothing, so that each command may run anything: for rules that are only checked, and for sessions without rules. */
export const anyCommand: CommandReader = { read: () => reading };
