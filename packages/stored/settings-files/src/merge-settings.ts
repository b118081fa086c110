import type { Settings } from './read-settings.ts';
import { isRecord } from '@hexagent/checks';

/** Settings of which a later source replaces the whole. */
const replaced = new Set(['fallbackModel', 'modelPicker']);

/** Joins settings: lists are added to each other, objects are joined name by name, and of other values the later one counts. */
export function mergeSettings(
  lower: Settings,
  higher: Settings,
  alsoReplaced: ReadonlySet<string> = new Set(),
): Settings {
  const merged: { [key: string]: unknown } = { ...lower };
  for (const [key, value] of Object.entries(higher)) {
    if (value === undefined) continue;
    merged[key] = replaced.has(key) || alsoReplaced.has(key) ? value : mergeValues(lower[key], value);
  }
  return merged;
}

function mergeValues(lower: unknown, higher: unknown): unknown {
  if (higher === undefined) return lower;
  if (Array.isArray(lower) && Array.isArray(higher)) return [...new Set<unknown>([...lower, ...higher])];
  if (Array.isArray(lower) && isRecord(higher)) return lower;
  if (!isRecord(lower) || !isRecord(higher)) return higher;
  return mergeSettings(lower, higher);
}
