import { SdkError, type SessionFact, type SessionLog } from '@hexagent/ports';

interface FactWriterParts {
  readonly id: string;
  readonly log: SessionLog;
  /** Of the lease that this process has, or had last. */
  readonly fence: () => number;
  /** The log failed. The facts are appended before the next one, unless another process drives the session. */
  readonly failed: (error: unknown) => void;
}

/** So many facts wait for a log that is slow before the agent has to. */
const mostWaiting = 1000;

/** Appends the facts of a session in their order. Those that come while the log is busy are appended together. */
export class FactWriter {
  readonly #parts: FactWriterParts;
  #waiting: SessionFact[] = [];
  #isWriting = false;
  #written: Promise<void> = Promise.resolve();
  #position = '';

  constructor(parts: FactWriterParts) {
    this.#parts = parts;
  }

  /** The `seq` of the last fact that was appended here. */
  get position(): string {
    return this.#position;
  }

  /** Whether nothing more is to be added before `settled()`. */
  get isFull(): boolean {
    return this.#waiting.length >= mostWaiting;
  }

  add(fact: SessionFact): void {
    this.#waiting.push(fact);
    if (!this.#isWriting) this.#written = this.#write();
  }

  /** Resolves when what was added is appended, or could not be. Tries again where the log failed. */
  settled(): Promise<void> {
    if (!this.#isWriting && this.#waiting.length > 0) this.#written = this.#write();
    return this.#written;
  }

  /** Forgets what is in the log. */
  async delete(): Promise<void> {
    const { id, log, fence } = this.#parts;
    await this.settled();
    await log.delete(id, fence());
  }

  async #write(): Promise<void> {
    const { id, log, fence, failed } = this.#parts;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const facts = this.#waiting;
      const under = fence();
      this.#waiting = [];
      try {
        this.#position = await log.append(id, facts, under);
      } catch (error) {
        const isLost = SdkError.is(error) && error.code === 'LEASE_LOST';
        this.#waiting = isLost ? [] : [...facts, ...this.#waiting];
        this.#isWriting = false;
        // A lease that was lost may have been taken again since.
        if (!isLost || under === fence()) failed(error);
        return;
      }
    }
    this.#isWriting = false;
  }
}
