import type { SessionFacts } from './hosted-sessions.ts';

/** What is stored of a session beside its transcript. */
export interface SessionRecord {
  /** The application's id. */
  readonly id: string;
  /** The agent's id, a uuid. */
  readonly sessionId: string;
  /** Whose session it is. */
  readonly tenant?: string | undefined;
  /** Where the worker was reached that drove it last: its files are there. Not set by a worker without an address. */
  readonly address?: string | undefined;
  /**
   * Whether the agent has stored anything of it, and so can resume it: `perhaps` once an agent may have been given its
   * first message, `yes` once one has finished a message.
   */
  readonly begun: 'no' | 'perhaps' | 'yes';
  /** When it was made and last written: milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What the application stored with it. */
  readonly facts: SessionFacts;
}

/** Which sessions a list has. A field that is left out does not restrict it. */
export interface SessionQuery {
  readonly tenant?: string | undefined;
  /** Only those of these ids: many records are read at once by it. One that is not there is left out. */
  readonly ids?: readonly string[] | undefined;
  /** At most so many. */
  readonly limit?: number | undefined;
  /** Only what comes behind this record in the list: the last one of a page, for the page that follows. It need not be there any more. */
  readonly before?: SessionRecord | undefined;
}

/**
 * Which sessions there are: the application's ids and what is needed to continue with each. Durable: what `put()` resolved
 * for is there after a kill -9. Only who holds the lease of a session writes it; anybody reads.
 */
export interface SessionDirectory {
  /** `undefined` for an id that is not there. */
  get(id: string): Promise<SessionRecord | undefined>;
  /**
   * Adds a record, or replaces that of the same id.
   * @throws {SdkError} `LEASE_LOST` where the session was written or deleted under a higher `fence`; nothing is stored then.
   */
  put(record: SessionRecord, fence: number): Promise<void>;
  /**
   * The last used first, by `updatedAt`; those of the same time in an order that is always the same. A record that is used between
   * two pages moves to the front, and is on no later page.
   */
  list(query?: SessionQuery): Promise<readonly SessionRecord[]>;
  /**
   * Takes a record away. What is not there is no error.
   * @throws {SdkError} `LEASE_LOST` as `put()` does.
   */
  delete(id: string, fence: number): Promise<void>;
}

/** What a query asks for, in the order of a list: for a store that has all records at hand. */
export function listSessionRecords(
  records: Iterable<SessionRecord>,
  { tenant, ids, limit, before }: SessionQuery = {},
): readonly SessionRecord[] {
  const wanted = ids && new Set(ids);
  return [...records]
    .filter((record) => tenant === undefined || record.tenant === tenant)
    .filter(({ id }) => wanted === undefined || wanted.has(id))
    .filter((record) => before === undefined || inListOrder(before, record) < 0)
    .toSorted(inListOrder)
    .slice(0, limit);
}

function inListOrder(one: SessionRecord, other: SessionRecord): number {
  return other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : Number(one.id > other.id));
}
