import type { Page } from '@hexagent/ports';

/** The part of a list that is asked for. */
export function pageOf<T>(list: readonly T[], { limit = Infinity, offset = 0 }: Page): readonly T[] {
  return list.slice(offset, offset + limit);
}
