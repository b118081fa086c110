import type { Clock } from '@hexagent/ports';
import type { ReplayBuffer } from '@hexagent/ui-stream';

/** A page asks for the stream right after the history. One that has not by then was closed. */
const keptMs = 10_000;

/**
 * Keeps a turn that has ended for the pages whose history left its answer to the stream: between their two requests it may
 * have ended, and they would show no answer until they load again.
 */
export class PromisedTurn {
  readonly #clock: Clock;
  #id: string | undefined;
  /** How many pages have not read its stream yet. */
  #pages = 0;
  #ended: ReplayBuffer | undefined;
  #cancel: () => void = () => {};

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** A page was shown what came before this turn. */
  promise(id: string): void {
    if (id !== this.#id) this.#forget();
    this.#id = id;
    this.#pages += 1;
  }

  /** A page reads the stream of this turn while it runs. */
  read(id: string): void {
    if (id === this.#id && this.#pages > 0) this.#pages -= 1;
  }

  end(id: string, buffer: ReplayBuffer): void {
    if (id !== this.#id) return;
    if (this.#pages === 0) return this.#forget();
    this.#ended = buffer;
    this.#cancel = this.#clock.after(keptMs, () => this.#forget());
  }

  /** What is left of the turn for one of these pages. */
  take(): ReplayBuffer | undefined {
    const ended = this.#ended;
    if (ended === undefined) return undefined;
    this.#pages -= 1;
    if (this.#pages === 0) this.#forget();
    return ended;
  }

  #forget(): void {
    this.#cancel();
    this.#id = undefined;
    this.#pages = 0;
    this.#ended = undefined;
  }
}
