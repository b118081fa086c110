import type {
  HookCallback,
  HookContext,
  HookDispatcher,
  HookMatcher,
  HookMatcherRegistration,
  HookOutput,
  HookRegistration,
  HookRequest,
  HookTable,
} from '@hexagent/ports';
import { ChangedInputs } from './changed-inputs.ts';
import { checkTable } from './check-table.ts';
import { changesInput } from './ready-made-marks.ts';

/** Calls the hooks of a table. The table is read at construction; later changes to it have no effect. */
export class HookService implements HookDispatcher {
  readonly #hooks = new Map<string, HookCallback>();
  readonly #registration: HookRegistration | undefined;
  readonly #changed = new ChangedInputs();
  /** Whether a hook was made to change the input of calls: without one no change can be lost. */
  #changes = false;

  /** @throws {TypeError} for a table that the agent cannot use, naming the event and the place. */
  constructor(table: HookTable = {}) {
    const events = checkTable(table)
      .map(([event, matchers]) => [event, matchers.flatMap((matcher) => this.#register(matcher))] as const)
      .filter(([, matchers]) => matchers.length > 0);
    this.#registration = events.length > 0 ? Object.fromEntries(events) : undefined;
  }

  registration(): HookRegistration | undefined {
    return this.#registration;
  }

  /** Rejects when the hook throws: the agent then follows `onFailure`. */
  async dispatch({ callback_id, input, tool_use_id }: HookRequest, context: HookContext): Promise<HookOutput> {
    const hook = this.#hooks.get(callback_id);
    if (hook === undefined) throw new Error(`No hook callback found for ID: ${callback_id}`);
    const call = this.#changes && input.hook_event_name === 'PreToolUse' ? input.tool_use_id : undefined;
    // A hook that only observes returns nothing, or null. Whatever else it returns is for the protocol to judge.
    if (call === undefined) return (await hook(input, tool_use_id, context)) ?? {};
    const answering = async (): Promise<HookOutput> => (await hook(input, tool_use_id, context)) ?? {};
    return await this.#changed.during(call, { id: callback_id, mustHold: changesInput(hook) }, answering);
  }

  /** Returns an empty list for a matcher without hooks: the agent would wait for a callback that does not exist. */
  #register({ matcher, hooks, timeout, onFailure }: HookMatcher): readonly HookMatcherRegistration[] {
    const hookCallbackIds = hooks.map((hook) => {
      const id = `hook_${this.#hooks.size}`;
      this.#hooks.set(id, hook);
      this.#changes ||= changesInput(hook);
      return id;
    });
    if (hookCallbackIds.length === 0) return [];
    return [
      {
        ...(matcher === undefined ? {} : { matcher }),
        hookCallbackIds,
        ...(timeout === undefined ? {} : { timeout }),
        ...(onFailure === undefined ? {} : { onFailure }),
      },
    ];
  }
}
