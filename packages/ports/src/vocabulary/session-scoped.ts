import type { Uuid } from './values.ts';

/** What every message of a session carries. */
export interface SessionScoped {
  readonly uuid: Uuid;
  readonly session_id: string;
}
