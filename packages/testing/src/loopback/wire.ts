import type { ServerResponse } from 'node:http';
import type { StreamEffect } from './stream-effects.ts';
import type { Ending } from './requests.ts';

/** Ends the playing of a turn from wherever it stands. Caught where the request is served, and never reported outside. */
export class BrokenOff extends Error {
  readonly ending: Exclude<Ending, 'sent'>;

  constructor(ending: Exclude<Ending, 'sent'>) {
    super(ending);
    this.ending = ending;
  }
}

// Small deltas are joined up to this size: a write each would cost more than the event itself.
const batchSize = 64 * 1024;

/** One HTTP answer being written: joins small writes, waits for slow readers, and detects that the client disconnects. */
export class Wire {
  readonly #response: ServerResponse;
  readonly #gone: Promise<never>;
  #batch = '';

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#gone = new Promise((_, reject) => {
      // `close` also follows a complete response, when `#gone` is no longer awaited.
      response.once('close', () => reject(new BrokenOff('client-left')));
    });
    this.#gone.catch(() => {}); // the client may disconnect between two waits; the next one rejects
  }

  open(status: number, headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(status, headers);
    this.#response.flushHeaders();
  }

  /** Adds to the answer. Returns `true` when the caller should `flush()` before it continues. */
  write(piece: string): boolean {
    this.#batch += piece;
    return this.#batch.length >= batchSize;
  }

  /** Resolves once the kernel has taken everything: a client that does not read holds the writer back here. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = '';
    if (batch === '') return;
    await this.until(new Promise<void>((resolve) => this.#response.write(batch, () => resolve())));
  }

  /** Waits, but no longer than the client does. */
  async until<T>(promise: Promise<T>): Promise<T> {
    return await Promise.race([promise, this.#gone]);
  }

  async happen(happening: Exclude<StreamEffect, { type: 'error' }>): Promise<void> {
    await this.flush();
    switch (happening.type) {
      case 'gate':
        return await this.until(happening.pass());
      case 'pause':
        return await this.#pause(happening.ms);
      case 'cut':
        return this.cut();
    }
  }

  /** Breaks the connection without a proper ending. */
  cut(): never {
    this.#response.socket?.destroy();
    throw new BrokenOff('cut');
  }

  async end(rest = ''): Promise<void> {
    this.#batch += rest;
    await this.flush();
    await this.until(new Promise<void>((resolve) => this.#response.end(() => resolve())));
  }

  async #pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const passed = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await this.until(passed).finally(() => clearTimeout(timer));
  }
}
