import type { Ids } from '@hexagent/ports';

/** Predictable ids: `request-1`, `request-2`, and uuids that count. */
export class CountedIds implements Ids {
  #requests = 0;
  #uuids = 0;

  request(): string {
    this.#requests += 1;
    return `request-${this.#requests}`;
  }

  uuid(): string {
    this.#uuids += 1;
    return `1d000000-0000-4000-8000-${String(this.#uuids).padStart(12, '0')}`;
  }
}
