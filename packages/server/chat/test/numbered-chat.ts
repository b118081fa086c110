import type { SessionFact } from '@hexagent/ports';
import { LiveChat } from '../src/live-chat.ts';

/** Takes facts without their places: each comes after the one before. */
export class NumberedChat extends LiveChat {
  #count = 0;

  override take(fact: SessionFact): void {
    this.#count += 1;
    super.take({ ...fact, seq: String(this.#count).padStart(9, '0') });
  }
}
