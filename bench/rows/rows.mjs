// What is measured, with which program, and within which bounds: a `bound` that is missed fails the run under --check. It is
// `atLeast` so many times better than the official SDK, or `atMost` so much in the metric's own unit.
import {
  cold,
  firstMessage,
  firstMessageReal,
  importing,
  importingNative,
  sparesReal,
  startingEarly,
} from './starting-rows.mjs';
import { fleet, inspected, longLine, recording, slowConsumer, stream, traced, uiStream } from './flowing-rows.mjs';
import { callbackRows } from './callback-rows.mjs';
import { stop, stopReal, stubborn } from './stopping-rows.mjs';
import { policy, sessions, storedRows } from './scale-rows.mjs';

export const rows = [
  importing,
  importingNative,
  cold,
  firstMessage,
  firstMessageReal,
  startingEarly,
  sparesReal,
  stream,
  longLine(1, 20),
  longLine(10, 8),
  longLine(64, 4),
  ...callbackRows,
  policy,
  uiStream,
  inspected,
  recording,
  traced,
  fleet,
  ...storedRows,
  slowConsumer,
  stop,
  stopReal,
  stubborn,
  sessions(50),
  sessions(200),
];
