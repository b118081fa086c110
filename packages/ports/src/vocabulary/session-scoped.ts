import type { Uuid } from './values.ts';

/** What every message of a session carries. */
export interface SessionScoped {
  readonly uuid: Uuid;
  readonly session_id: string;
}

/** What every system message has. */
export interface SystemFields<Subtype extends string> extends SessionScoped {
  readonly type: 'system';
  readonly subtype: Subtype;
}
