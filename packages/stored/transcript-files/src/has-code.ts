import { isRecord } from '@hexagent/ports';

/** Whether the system gave one of these reasons for an error. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  isRecord(error) && codes.includes(String(error['code']));
