/*
 * tsyringe throws while it loads when `Reflect.getMetadata` is missing, and calls it only for decorated classes. The SDK
 * decorates none, so an empty one is enough, and only while tsyringe loads: `Reflect` belongs to the program.
 */
const isMissing = !('getMetadata' in Reflect);
if (isMissing) Reflect.defineProperty(Reflect, 'getMetadata', { value: () => undefined, configurable: true });

/** Takes away what was added to `Reflect`. A program's own `reflect-metadata` stays. */
export function endLoan(): void {
  if (isMissing) Reflect.deleteProperty(Reflect, 'getMetadata');
}
