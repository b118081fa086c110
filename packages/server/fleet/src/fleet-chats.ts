import { checkDelay } from '@hexagent/checks';
import type { ChatApprovals, ChatCaller, ChatDoor, ChatHistory, ChatSessions, ChatState } from '@hexagent/ports';
import { FleetCalls } from './fleet-calls.ts';
import type { FleetParts } from './fleet-parts.ts';
import { FleetSessions } from './fleet-sessions.ts';

/** The chats of all workers, for a gateway that drives none itself. Any number of gateways may have them. */
export class FleetChats implements ChatDoor {
  readonly sessions: ChatSessions;
  readonly approvals: ChatApprovals;
  readonly history: ChatHistory;
  readonly #calls: FleetCalls;

  /** @throws {TypeError} for a delay that is not one, naming it. */
  constructor(parts: FleetParts) {
    checkDelay('giveUpAfterMs', parts.giveUpAfterMs);
    if (parts.silentAfterMs !== undefined) checkDelay('silentAfterMs', parts.silentAfterMs);
    const calls = new FleetCalls(parts);
    this.#calls = calls;
    this.sessions = new FleetSessions(calls, parts);
    this.approvals = {
      settle: (chatId, approvalId, answer, caller) =>
        calls.ask(chatId, caller, ({ approvals }) => approvals.settle(chatId, approvalId, answer, caller)),
    };
    this.history = {
      messages: (chatId, page, caller) =>
        calls.ask(chatId, caller, ({ history }) => history.messages(chatId, page, caller)),
    };
  }

  async states(chatIds: readonly string[], caller: ChatCaller): Promise<Readonly<Record<string, ChatState>>> {
    return await this.#calls.states(chatIds, caller);
  }

  /** Rejects what is being called, and fails the streams, with `HOST_CLOSED`. The workers continue. Safe to call twice. */
  close(): void {
    this.#calls.close();
  }
}
