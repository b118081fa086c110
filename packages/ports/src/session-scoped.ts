/** What every message of a session carries. */
export interface SessionScoped {
  readonly uuid: string;
  readonly session_id: string;
}
