import { isRecord } from '@hexagent/checks';

/** Whether the system gave one of these reasons for an error. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  isRecord(error) && codes.includes(String(error['code']));
