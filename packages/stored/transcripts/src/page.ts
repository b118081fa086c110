import type { Page } from '@hexagent/ports';

/** The requested part of a list. */
export function pageOf<T extends { slice(start: number, end: number): T }>(
  list: T,
  { limit = Infinity, offset = 0 }: Page,
): T {
  return list.slice(offset, offset + limit);
}
