import {
  AbortError,
  type AskFact,
  type CacheFact,
  type DialogAnswer,
  type ElicitationAnswer,
  type ElicitationRequest,
  type PermissionAnswer,
  type PermissionContext,
  type PermissionRequest,
  type Warning,
} from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { Asks, type AsksOptions } from '../src/index.ts';
import { commands } from './policy-of.ts';
import { request } from './requests.ts';

export const elicitation: ElicitationRequest = { mcp_server_name: 's', message: 'Which?' };

/** The people of a program, asked by an agent that may withdraw what it asks. */
export class Waiting {
  readonly clock: HandClock = new HandClock(1000);
  readonly warned: Warning[] = [];
  readonly requested: string[] = [];
  /** What was added to the events of the conversation. */
  readonly facts: (AskFact | CacheFact)[] = [];
  readonly asks: Asks;
  readonly #withdrawals = new Map<string, AbortController>();

  constructor(options: Partial<AsksOptions> = {}, rules: readonly object[] = []) {
    this.asks = new Asks({ environment: { commands }, ...options, clock: this.clock });
    this.asks.feature.attach?.({
      warn: (warning) => void this.warned.push(warning),
      append: (fact) => void this.facts.push(fact),
      observe: () => {},
      request: async (...[subtype]) => (this.requested.push(subtype), { state: { rules } }) as never,
      requestUntyped: async () => ({}),
    });
  }

  async ask(id: string, tool = 'Bash', fields: Partial<PermissionRequest> = {}): Promise<PermissionAnswer | null> {
    return await this.asks.ask(request(tool, fields), this.contextOf(id));
  }

  /** The agent passes on what an MCP server asks. */
  async elicit(id: string): Promise<ElicitationAnswer | null> {
    const answer = await this.asks.feature.handlers?.elicitation?.(elicitation, this.contextOf(id));
    return answer ?? null;
  }

  async show(id: string): Promise<DialogAnswer | null> {
    const answer = await this.asks.feature.handlers?.request_user_dialog?.({ dialog_kind: 'x' }, this.contextOf(id));
    return answer ?? null;
  }

  contextOf(id: string): PermissionContext {
    const controller = new AbortController();
    this.#withdrawals.set(id, controller);
    return { requestId: id, signal: controller.signal };
  }

  withdraw(id: string, reason: Error = new AbortError('withdrawn')): void {
    this.#withdrawals.get(id)?.abort(reason);
  }

  get ids(): readonly string[] {
    return this.asks.list().map(({ id }) => id);
  }
}
