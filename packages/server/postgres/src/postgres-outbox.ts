import type { OutboxAnswer, OutboxEntry, OutboxMessage, OutboxState, OutboxStore } from '@hexagent/ports';
import type { Database } from './database.ts';
import { fenced, leaseLost } from './fenced.ts';
import { parsed, restored, stored } from './texts.ts';
import { Together } from './together.ts';

type MessageKey = Pick<OutboxEntry, 'session' | 'uuid'>;

const states: readonly OutboxState[] = ['queued', 'sent', 'started', 'completed', 'cancelled'];
const final: readonly OutboxState[] = ['completed', 'cancelled'];

/** The states from which a message moves to this one. */
const before = (state: OutboxState): readonly OutboxState[] =>
  states.slice(0, states.indexOf(state)).filter((each) => !final.includes(each));

const pageSize = 500;

interface PendingRow {
  readonly session: string;
  readonly uuid: string;
  readonly number: string;
  readonly input: string;
  readonly state: OutboxEntry['state'];
}

const toEntry = ({ session, uuid, number, input, state }: PendingRow): OutboxEntry => ({
  session: restored(session),
  uuid: restored(uuid),
  number: Number(number),
  input: parsed(input),
  state,
});

/** Messages in PostgreSQL. */
export class PostgresOutbox implements OutboxStore {
  readonly #database: Database;
  readonly #keepFinished: number;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #pending: Together<string, readonly OutboxEntry[]>;

  constructor(database: Database, { keepFinished }: { readonly keepFinished: number }) {
    this.#database = database;
    this.#keepFinished = keepFinished;
    this.#statements = statementsOf(database.quoted);
    this.#pending = new Together<string, readonly OutboxEntry[]>(async (sessions) => {
      const rows = await database.query<PendingRow>(this.#statements.pending, [sessions]);
      const found = new Map<string, OutboxEntry[]>(sessions.map((session) => [session, []]));
      for (const row of rows) found.get(row.session)?.push(toEntry(row));
      return sessions.map((session) => found.get(session));
    });
  }

  async enqueue(message: OutboxMessage): Promise<OutboxAnswer> {
    const input = JSON.stringify(message.input);
    const [session, uuid] = [stored(message.session), stored(message.uuid)];
    for (;;) {
      const [row] = await this.#database.query<{
        number: string | null;
        state: OutboxState | null;
        is_known: boolean;
      }>(this.#statements.enqueue, [session, uuid, input]);
      if (row?.number != null) return { kind: 'accepted', number: Number(row.number) };
      if (row?.state != null) return { kind: 'duplicate', state: row.state };
      // Otherwise another call stored it at the same time, which can be seen now.
      if (row?.is_known === false) await this.#database.query(this.#statements.begin, [session]);
    }
  }

  async mark({ session, uuid }: MessageKey, state: OutboxState, fence: number): Promise<void> {
    const isFinal = final.includes(state);
    const values = [stored(session), fence, stored(uuid), state, before(state)];
    const { mark, finish } = this.#statements;
    const rows = await (isFinal
      ? this.#database.query(finish, [...values, this.#keepFinished])
      : this.#database.query(mark, values));
    if (rows.length === 0) throw leaseLost(session, fence);
  }

  async stateOf({ session, uuid }: MessageKey): Promise<OutboxState | undefined> {
    const names = [stored(session), stored(uuid)];
    const [row] = await this.#database.query<{ state: OutboxState }>(this.#statements.stateOf, names);
    return row?.state;
  }

  async pending(session: string): Promise<readonly OutboxEntry[]> {
    return (await this.#pending.call(stored(session))) ?? [];
  }

  /** Leaves out sessions that another living worker holds. */
  async *claimable(owner?: string): AsyncIterable<string> {
    for (let after: string | undefined = '0'; after !== undefined;) {
      const values = [after, pageSize, owner === undefined ? null : stored(owner)];
      const page: readonly { id: string; session: string }[] = await this.#database.query(
        this.#statements.claimable,
        values,
      );
      for (const { session } of page) yield restored(session);
      after = page.length < pageSize ? undefined : page.at(-1)?.id;
    }
  }

  async delete(session: string, fence: number): Promise<void> {
    const rows = await this.#database.query(this.#statements.delete, [stored(session), fence]);
    if (rows.length === 0) throw leaseLost(session, fence);
  }
}

/* oxlint-disable-next-line max-lines-per-function -- a list of statements */
const statementsOf = (s: string) =>
  ({
    // The row of the session is locked until the message is stored, so that numbers are in the order in which messages can be seen.
    enqueue: `with found as (
        select state from ${s}.messages where session = $1 and uuid = $2
      ), locked as (
        select last_number + 1 as number from ${s}.sessions where id = $1 and not exists (select from found)
        for no key update
      ), added as (
        insert into ${s}.messages (session, uuid, number, state, input)
        select $1, $2, number, 'queued', $3 from locked
        on conflict (session, uuid) do nothing
        returning number
      ), counted as (
        update ${s}.sessions set last_number = number from added where id = $1
      )
      select (select number from added) as number, (select state from found) as state,
        exists (select from ${s}.sessions where id = $1) as is_known`,
    begin: `insert into ${s}.sessions (id) values ($1) on conflict (id) do nothing`,
    mark: `with ${fenced(s)}, marked as (
        update ${s}.messages set state = $4 from fenced
        where session = $1 and uuid = $3 and state = any($5::text[])
      )
      select from fenced`,
    // Of a message that is finished only its uuid is needed. Now and then the oldest uuids go.
    finish: `with ${fenced(s)}, marked as (
        update ${s}.messages set state = $4, input = '{}', finish = nextval('${s}.finishes') from fenced
        where session = $1 and uuid = $3 and state = any($5::text[])
        returning number
      ), forgotten as (
        delete from ${s}.messages where session = $1 and finish <= (
          select finish from ${s}.messages where session = $1 and finish is not null
          order by finish desc offset $6 limit 1
        ) and (select number from marked) % 100 = 0
      )
      select from fenced`,
    stateOf: `select state from ${s}.messages where session = $1 and uuid = $2`,
    pending: `select session, uuid, number, input, state from ${s}.messages where session = any($1::text[]) and finish is null order by id`,
    claimable: `select m.id, m.session from ${s}.messages m
      join ${s}.sessions s on s.id = m.session
      left join ${s}.workers w on w.id = s.worker and w.expires_at > clock_timestamp() and w.owner is distinct from $3
      where m.finish is null and m.id > $1 and w.id is null and not exists (
        select from ${s}.messages e where e.session = m.session and e.finish is null and e.id < m.id
      )
      order by m.id limit $2`,
    delete: `with ${fenced(s)}, gone as (delete from ${s}.messages using fenced where session = $1) select from fenced`,
  }) as const;
