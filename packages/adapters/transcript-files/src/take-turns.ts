/** How long a list may keep others waiting. */
const turnMs = 8;

let turnBegan = 0;

/** Lets others run after a few milliseconds, however many files a list has. */
export async function takeTurns(): Promise<void> {
  if (Date.now() - turnBegan < turnMs) return;
  await new Promise((resolve) => setImmediate(resolve));
  turnBegan = Date.now();
}
