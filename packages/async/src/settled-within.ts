/** The part of a clock that a limit needs: calls back after `ms`, and returns what cancels that. */
export interface Timer {
  after(ms: number, callback: () => void, options?: { readonly keepsAlive?: boolean }): () => void;
}

/** Resolves with whether the promise settles within `ms`, as soon as that is certain. Never rejects. Keeps the process alive meanwhile. */
export function settledWithin(ms: number, awaited: Promise<unknown>, clock: Timer): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false), { keepsAlive: true });
    const settled = (): void => {
      cancel();
      resolve(true);
    };
    awaited.then(settled, settled);
  });
}
