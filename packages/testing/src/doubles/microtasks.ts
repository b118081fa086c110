/**
 * Lets what is already on its way happen: between doubles everything travels by promises alone. For asserting that
 * something did not happen; for something that will, await the thing itself.
 */
export async function microtasks(turns = 100): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}
