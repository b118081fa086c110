import type { Transport } from '@hexagent/ports';
import type { RedactOption } from './redaction.ts';
import { tapped, type TapSink } from './tapped.ts';
import { TapeFile } from './tape-file.ts';
import { tapeText, type TapeTextOptions } from './tape-text.ts';

export interface RecordOptions {
  /** Reaches the agents that are recorded. */
  readonly transport: Transport;
  /** Default: secrets are redacted. `false` redacts nothing; a function redacts more. */
  readonly redact?: RedactOption;
}

/**
 * The same transport, which also records what passes in both directions. A path that ends in `.tape` is the file, which is
 * replaced; any other is a folder, which gets a new file. It is made with the first agent. A tape that cannot be written
 * never disturbs the conversation: the process is warned once.
 * @throws {TypeError} for a path that is empty or holds a NUL.
 */
export function recordTo(place: string, { transport, redact }: RecordOptions): Transport {
  return tapped(transport, tapeSink(place, { redact }));
}

/** What `recordTo()` records with, for several transports whose agents are on one tape. */
export function tapeSink(place: string, options?: TapeTextOptions): TapSink {
  if (place === '' || place.includes('\0')) throw new TypeError(`A tape needs a path, not ${JSON.stringify(place)}.`);
  return tapeText(new TapeFile(place), { gatherMs: 250, ...options });
}
