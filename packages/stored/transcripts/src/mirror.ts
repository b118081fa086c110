import { errorText } from '@hexagent/checks';
import { SdkError, type Clock, type SessionKey, type SessionStore, type SessionStoreEntry } from '@hexagent/ports';
import { attempt, settledWithin } from '@hexagent/async';

/** How long to wait before another attempt; there are as many more as there are numbers. */
const pausesMs = [200, 800];
/** A call that has not settled by then is not repeated: it may still succeed. */
const appendTimeoutMs = 60_000;
/** More than this is not kept until a result comes. */
const mostEntries = 500;
const mostBytes = 1024 * 1024;
/** A store that falls behind by more than this holds the agent up. */
const mostBytesBehind = 16 * 1024 * 1024;

export interface MirrorOptions {
  readonly store: Pick<SessionStore, 'append'>;
  /** Appends each part as it comes, instead of what came until a result together. */
  readonly isEager: boolean;
  readonly clock: Clock;
  /** Called where entries are given up. */
  readonly failed: (key: SessionKey, error: string) => void;
  /** Called once, where the store rejects with `LEASE_LOST`: another process writes the session, and nothing more is appended here. */
  readonly lost: (error: SdkError) => void;
}

interface Batch {
  readonly key: SessionKey;
  readonly entries: SessionStoreEntry[];
  bytes: number;
}

/** Appends entries to a store: in order, one call at a time, and again where a call fails. Never rejects. */
export class Mirror {
  readonly #options: MirrorOptions;
  /** What waits for a result, by transcript, in the order of their first entries. */
  #collected = new Map<string, Batch>();
  #entries = 0;
  #bytes = 0;
  /** What is being appended, or waits for that. */
  #bytesBehind = 0;
  #appended: Promise<void> | undefined;
  #isLost = false;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /** Takes entries. A promise that it returns settles when the store has caught up: more is too much to hold. */
  add(key: SessionKey, entries: readonly SessionStoreEntry[], bytes: number): Promise<void> | undefined {
    if (this.#isLost) return undefined;
    const name = JSON.stringify([key.projectKey, key.sessionId, key.subpath]);
    const batch = this.#collected.get(name) ?? { key, entries: [], bytes: 0 };
    this.#collected.set(name, batch);
    for (const entry of entries) batch.entries.push(entry);
    batch.bytes += bytes;
    this.#entries += entries.length;
    this.#bytes += bytes;
    const isFull = this.#entries > mostEntries || this.#bytes > mostBytes;
    if (!isFull && !this.#options.isEager) return undefined;
    const appended = this.flush();
    return this.#bytesBehind > mostBytesBehind ? appended : undefined;
  }

  /** Settles when everything that was added is in the store, or was given up; `undefined` where nothing is left to do. */
  flush(): Promise<void> | undefined {
    const batches = [...this.#collected.values()];
    if (batches.length === 0) return this.#appended;
    this.#collected = new Map();
    this.#bytesBehind += this.#bytes;
    this.#entries = 0;
    this.#bytes = 0;
    const appended: Promise<void> = (this.#appended ?? Promise.resolve())
      .then(async () => {
        for (const batch of batches) await this.#append(batch);
      })
      .then(() => {
        if (this.#appended === appended) this.#appended = undefined;
      });
    this.#appended = appended;
    return appended;
  }

  async #append({ key, entries, bytes }: Batch): Promise<void> {
    const { store, clock, failed } = this.#options;
    for (const pause of [...pausesMs, undefined]) {
      if (this.#isLost) break;
      try {
        // A list of its own for each attempt: a store may change what it is given.
        const call = attempt(() => store.append(key, [...entries]));
        // Also one that is not waited for any more.
        call.catch((error: unknown) => this.#review(error));
        if (await settledWithin(appendTimeoutMs, call, clock)) await call;
        else failed(key, `append() has not settled within ${appendTimeoutMs / 1000} seconds`);
        break;
      } catch (error) {
        if (this.#isLost) break;
        if (pause === undefined) failed(key, errorText(error));
        else await passed(pause, clock);
      }
    }
    this.#bytesBehind -= bytes;
  }

  #review(error: unknown): void {
    if (this.#isLost || !SdkError.is(error) || error.code !== 'LEASE_LOST') return;
    this.#isLost = true;
    this.#options.lost(error);
  }
}

/** What is to be repeated would be lost if the process ended meanwhile. */
function passed(ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve, { keepsAlive: true });
  });
}
