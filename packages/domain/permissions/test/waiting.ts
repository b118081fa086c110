import {
  AbortError,
  type PermissionAnswer,
  type PermissionContext,
  type PermissionRequest,
  type Warning,
} from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { PendingCalls, type PendingCallsOptions } from '../src/index.ts';
import { commands } from './policy-of.ts';
import { request } from './requests.ts';

/** The people of a program, asked by an agent that may withdraw what it asks. */
export class Waiting {
  readonly clock: HandClock = new HandClock(1000);
  readonly warned: Warning[] = [];
  readonly requested: string[] = [];
  readonly pendingCalls: PendingCalls;
  readonly #withdrawals = new Map<string, AbortController>();

  constructor(options: Partial<PendingCallsOptions> = {}, rules: readonly object[] = []) {
    this.pendingCalls = new PendingCalls({ surroundings: { commands }, ...options, clock: this.clock });
    this.pendingCalls.attach({
      warn: (warning) => void this.warned.push(warning),
      observe: () => {},
      request: async (...[subtype]) => (this.requested.push(subtype), { state: { rules } }) as never,
      requestUntyped: async () => ({}),
    });
  }

  async ask(id: string, tool = 'Bash', fields: Partial<PermissionRequest> = {}): Promise<PermissionAnswer | null> {
    return await this.pendingCalls.ask(request(tool, fields), this.contextOf(id));
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
    return this.pendingCalls.list().map(({ id }) => id);
  }
}
