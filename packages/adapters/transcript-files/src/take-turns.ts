/** How long a list may keep others waiting. */
const turnMs = 8;

// Not the time of day, which may be set back.
let turnBegan = 0;

/** Whether others have waited for a few milliseconds: then `takeTurns` is called. To await it for each file takes memory. */
export const isTurnOver = (): boolean => performance.now() - turnBegan >= turnMs;

/** Lets others run. */
export async function takeTurns(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  turnBegan = performance.now();
}
