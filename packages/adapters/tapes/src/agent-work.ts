import { fieldsOf, requestOf, responseOf, textOf } from './frame-fields.ts';

/** What an agent has begun and not ended, by the frames that passed. */
export class AgentWork {
  /** The messages of the program, by their uuids, whose turns have no result. */
  readonly #messages = new Set<string>();
  /** The requests of the agent that the program has not answered. */
  readonly #asked = new Map<string, string>();
  /** The ids of the requests of the program that the agent has not answered. */
  readonly #requested = new Set<string>();
  #isRunning = false;

  /** Something is to come of the agent alone. */
  get isBusy(): boolean {
    const isOwed = this.#isRunning || this.#messages.size > 0 || this.#requested.size > 0;
    return isOwed && this.#asked.size === 0;
  }

  /** The first request that the program has not answered. */
  get unanswered(): string | undefined {
    const [first] = this.#asked.values();
    return first;
  }

  /** The program sent this. */
  sent(frame: unknown): void {
    const { type, uuid, request_id: id } = fieldsOf(frame);
    if (type === 'user') this.#messages.add(textOf(uuid));
    if (type === 'control_request') this.#requested.add(textOf(id));
    this.#asked.delete(textOf(responseOf(frame)['request_id']));
  }

  /** The program received this. */
  received(frame: unknown): void {
    const fields = fieldsOf(frame);
    const id = textOf(fields['request_id']);
    switch (fields['type']) {
      case 'control_request':
        return void this.#asked.set(id, requestText(frame));
      case 'control_response':
        return void this.#requested.delete(textOf(responseOf(frame)['request_id']));
      case 'control_cancel_request':
        return void this.#asked.delete(id);
      case 'system':
        if (fields['subtype'] === 'session_state_changed') this.#isRunning = fields['state'] === 'running';
        return;
      case 'result':
        return this.#settle(fields['user_message_uuids']);
    }
  }

  /** An older CLI does not say which messages a result answers. */
  #settle(uuids: unknown): void {
    if (!Array.isArray(uuids)) return this.#messages.clear();
    for (const uuid of uuids) this.#messages.delete(textOf(uuid));
  }
}

function requestText(frame: unknown): string {
  const { subtype, tool_name: tool } = requestOf(frame);
  return [textOf(subtype), textOf(tool)].filter(Boolean).join(' ');
}
