import { setTimeout as wait } from 'node:timers/promises';
import { notify } from '@hexagent/async';
import type { SessionSignal, SessionSignals } from '@hexagent/ports';
import type { Client } from 'pg';
import type { Database } from './database.ts';
import { inPayloads, signalsOf } from './payloads.ts';
import { restored } from './texts.ts';

/**
 * Signals by NOTIFY. They are sent behind the transaction that they tell of, and those that come while a statement is on its way go
 * together with the next one: in the transaction itself NOTIFY would make all writers of the database wait for each other.
 */
export class PostgresSignals implements SessionSignals {
  readonly #database: Database;
  readonly #sender: string = crypto.randomUUID();
  readonly #listeners = new Set<(signal: SessionSignal) => void>();
  /** By their texts, so that none is there twice. */
  #waiting = new Map<string, SessionSignal>();
  #sending: Promise<void> | undefined;
  /** Aborts when the connection is not needed any more. */
  #listening: AbortController | undefined;
  /** The end of the connections so far: the next one is made behind it, so that there are never two. */
  #ended: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  send(signal: SessionSignal): void {
    if (this.#isClosed) return;
    this.#waiting.set(JSON.stringify(signal), signal);
    this.#sending ??= this.#sendAll();
  }

  subscribe(listener: (signal: SessionSignal) => void): () => void {
    // Two of one function are two listeners.
    const own = (signal: SessionSignal): void => listener(signal);
    this.#listeners.add(own);
    this.#listen();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#listening?.abort();
    };
  }

  /** Sends what waits, and ends the connection. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#listening?.abort();
    await Promise.all([this.#sending, this.#ended]);
  }

  async #sendAll(): Promise<void> {
    // What is sent in the same turn of the event loop goes together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const signals = [...this.#waiting.values()];
      this.#waiting = new Map();
      this.#tell(signals);
      const statement = 'select pg_notify($1, payload) from unnest($2::text[]) as payload';
      const values = [this.#database.schema, inPayloads(this.#sender, signals)];
      // Lost where the database is away: then others find by a sweep what there is to do.
      await this.#database.query(statement, values).catch(() => {});
    }
    this.#sending = undefined;
  }

  /** Connects, where that was not done yet. */
  #listen(): void {
    if (this.#listening?.signal.aborted === false) return;
    const listening = new AbortController();
    this.#listening = listening;
    this.#ended = this.#ended.then(() => this.#keepListening(listening.signal));
  }

  async #keepListening(stop: AbortSignal): Promise<void> {
    for (let pauseMs = 100; !stop.aborted; pauseMs = Math.min(pauseMs * 2, 5000)) {
      await this.#database.ready().catch(() => {});
      // A pooler would share the connection among its clients.
      if (this.#database.isPooled || stop.aborted) return;
      if (await this.#listenOnce(stop)) pauseMs = 100;
      // With some chance in it: all processes lose their connections at once.
      await pause(pauseMs * (0.5 + Math.random()), stop);
    }
  }

  /** Resolves when the connection has ended, with whether it listened. */
  async #listenOnce(stop: AbortSignal): Promise<boolean> {
    const client = await this.#database.client('signals').catch(() => undefined);
    if (client === undefined) return false;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    for (const event of ['error', 'end'] as const) client.on(event, end);
    stop.addEventListener('abort', end);
    let hasListened = false;
    try {
      await client.connect();
      client.on('notification', ({ payload = '' }) => this.#tell(signalsOf(payload, this.#sender)));
      await client.query(`listen ${this.#database.quoted}`);
      hasListened = true;
      await this.#tellMissed();
      await tried(client, ending.signal);
    } catch {
      // Another connection is made.
    } finally {
      stop.removeEventListener('abort', end);
      client.removeAllListeners('notification');
      // One that does not answer does not end either.
      await Promise.race([client.end().catch(() => {}), wait(1000, undefined, { ref: false })]);
    }
    return hasListened;
  }

  /** What was sent before is lost. It was sent of sessions that have an unfinished message, or they have none by now. */
  async #tellMissed(): Promise<void> {
    const statement = `select distinct session from ${this.#database.quoted}.messages where finish is null`;
    const rows = await this.#database.query<{ session: string }>(statement, []);
    for (const { session } of rows)
      this.#tell((['wake', 'settled', 'moved'] as const).map((kind) => ({ session: restored(session), kind })));
  }

  #tell(signals: readonly SessionSignal[]): void {
    for (const signal of signals) for (const listener of [...this.#listeners]) notify(() => listener({ ...signal }));
  }
}

/** Rejects when the connection does not answer any more: one that was cut off reports nothing. Resolves when it is to end. */
async function tried(client: Client, ending: AbortSignal): Promise<void> {
  for (; !ending.aborted; await pause(10_000, ending)) await client.query('select');
}

async function pause(ms: number, until: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: until, ref: false }).catch(() => {});
}
