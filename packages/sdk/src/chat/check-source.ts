import { isRecord, kindOf } from '@hexagent/ports';

/**
 * What a function of the program returned. Without the check, one that forgets its `return` would have its agents run without
 * any of its options.
 * @throws {TypeError} for what can be no options.
 */
export function checkedOptions<T>(found: T): T {
  if (!isRecord(found)) throw new TypeError(`\`session\` must return options of openSession(), not ${kindOf(found)}.`);
  return found;
}

/** @throws {TypeError} for what is neither options nor a function. */
export function checkSource(session: unknown): void {
  if (typeof session !== 'function' && !isRecord(session))
    throw new TypeError(
      `\`session\` must be options of openSession(), or a function that returns them, not ${kindOf(session)}.`,
    );
}
