export { parseTape, readTape } from './read-tape.ts';
export type { Tape } from './read-tape.ts';
export { recordTo, tapeSink } from './record-to.ts';
export type { RecordOptions } from './record-to.ts';
export { replayFrom } from './replay-from.ts';
export type { Replay, ReplayOptions } from './replay-from.ts';
export type { Redact, RedactOption } from './redaction.ts';
export { tapped } from './tapped.ts';
export type { TapEvent, TapListener, TapSink } from './tapped.ts';
export type {
  Redaction,
  TapeEntry,
  TapeError,
  TapeEvent,
  TapeHeader,
  TapeLaunch,
  TapeLaunchFile,
} from './tape-entry.ts';
export { tapeText } from './tape-text.ts';
export type { TapeTarget, TapeTextOptions } from './tape-text.ts';
export { replayProgram } from './replay-program.ts';
export type { ProgramRun, ReplayProgramOptions } from './replay-program.ts';
export { meansOf, scoresOf } from './scores.ts';
export type { Score, Scores } from './scores.ts';
export { sentOn } from './sent-lines.ts';
export { showText } from './show-text.ts';
export { summaryOf } from './tape-summary.ts';
export type { TapeSummary } from './tape-summary.ts';
export { testTextOf } from './test-text.ts';
export type { TestRunner, TestTextOptions } from './test-text.ts';
