import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { errorText, hasCode } from '@hexagent/checks';
import { makeFolder, warnProcess } from '@hexagent/processes';
import type { TapeTarget } from './tape-text.ts';

/** How the name of a file ends that is a tape. Any other path is a folder. */
const ending = '.tape';

/**
 * A tape on disk, readable by its owner only. What is written is in the file at once: a program that hangs or is killed leaves a
 * tape that ends where it hung. Writing never throws: a tape that cannot be written is given up, with one warning.
 */
export class TapeFile implements TapeTarget {
  readonly #place: string;
  /** Opened once: from then on it is appended to. */
  #file: string | undefined;
  #descriptor: number | undefined;
  #isGivenUp = false;

  /** @param place a file whose name ends in `.tape`, which is replaced, or a folder, which gets a new file. */
  constructor(place: string) {
    // Where the program works now: it may work elsewhere when the first agent is started.
    this.#place = path.resolve(place);
  }

  write(text: string): void {
    if (this.#isGivenUp) return;
    try {
      this.#descriptor ??= this.#open();
      writeAll(this.#descriptor, text);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Closed while no agent runs: a server may make one tape for each session. */
  idle(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    try {
      if (descriptor !== undefined) closeSync(descriptor);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #open(): number {
    if (this.#file !== undefined) return openSync(this.#file, 'a');
    if (!this.#place.endsWith(ending)) return this.#openIn(this.#place);
    makeFolder(path.dirname(this.#place));
    this.#file = this.#place;
    return openSync(this.#place, 'w', 0o600);
  }

  #openIn(folder: string): number {
    makeFolder(folder);
    const began = new Date().toISOString().replaceAll(':', '-');
    for (let number = 0; ; number += 1) {
      const file = path.join(folder, `${began}-${process.pid}${number === 0 ? '' : `-${number}`}${ending}`);
      try {
        const descriptor = openSync(file, 'wx', 0o600);
        this.#file = file;
        return descriptor;
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
      }
    }
  }

  #giveUp(error: unknown): void {
    this.#isGivenUp = true;
    this.idle();
    warnProcess({
      code: 'HEXAGENT_NOT_RECORDED',
      source: this.#place,
      message: `The tape ${this.#place} cannot be written, and the conversation continues without it: ${errorText(error)}`,
      cause: error,
    });
  }
}

/** A disk that is nearly full takes a part. */
function writeAll(descriptor: number, text: string): void {
  const length = Buffer.byteLength(text);
  let written = writeSync(descriptor, text);
  if (written === length) return;
  const bytes = Buffer.from(text);
  while (written < length) written += writeSync(descriptor, bytes, written);
}
