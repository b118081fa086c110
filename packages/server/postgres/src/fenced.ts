import { SdkError } from '@hexagent/ports';

/**
 * The part of a statement that locks the session of parameter 1 until the end of the transaction, and raises its fence to parameter 2.
 * It has a row where that is not lower than the fence before.
 */
export const fenced = (schema: string): string => `fenced as (
  insert into ${schema}.sessions as s (id, fence) values ($1, $2)
  on conflict (id) do update set fence = excluded.fence where s.fence <= excluded.fence
  returning id
)`;

/** The same for what is written without a lease: it is never refused, and raises no fence. */
export const unfenced = 'fenced as (select $1::text, $2::bigint)';

export function leaseLost(session: string, fence: number): SdkError {
  return new SdkError('LEASE_LOST', `The session ${session} is driven under a newer lease; this was lease ${fence}.`);
}
