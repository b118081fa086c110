/**
 * Waits until pending promises between doubles have settled. Use it to assert that something did not happen; for
 * something that will happen, await the promise of it.
 */
export async function microtasks(turns = 100): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}
