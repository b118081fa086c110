import type { Readable } from 'node:stream';

/** Rounds are counted, not milliseconds: a program that blocks its own loop must not be taken for an empty pipe. */
const roundMs = 50;
const quietRounds = 5;
const allRounds = 20;

/**
 * Resolves when the pipes of a program that has left are empty. A grandchild that inherited them can hold them open
 * for ever, so it also resolves after a quarter of a second without a byte, and after a second in any case.
 */
export function drained(pipes: readonly Readable[], bytesRead: () => number): Promise<void> {
  return new Promise((resolve) => {
    let open = pipes.length;
    let [rounds, quiet, bytes] = [0, 0, bytesRead()];
    const round = (): void => {
      rounds += 1;
      quiet = bytesRead() === bytes ? quiet + 1 : 0;
      bytes = bytesRead();
      if (quiet === quietRounds || rounds === allRounds) resolve();
      else timer = setTimeout(round, roundMs);
    };
    let timer = setTimeout(round, roundMs);
    const ended = (): void => {
      open -= 1;
      if (open > 0) return;
      clearTimeout(timer);
      resolve();
    };
    for (const pipe of pipes) {
      if (pipe.closed) ended();
      else pipe.once('close', ended);
    }
  });
}
