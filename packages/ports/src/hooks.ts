import type { HookInput } from './vocabulary/hook-inputs.ts';
import type { HookOutput } from './vocabulary/hook-outputs.ts';
import type { HookContext } from './vocabulary/hook-table.ts';

/** Runs the program's hooks when the agent reaches their event. */
export interface HookDispatcher {
  /** The `hooks` field of `initialize`; `undefined` when no hook is registered. */
  registration(): HookRegistration | undefined;
  /** A rejection is reported to the agent, which then follows the matcher's `onFailure`. */
  dispatch(request: HookRequest, context: HookContext): Promise<HookOutput>;
}

/** Wire spelling, by event name. */
export type HookRegistration = Readonly<Record<string, readonly HookMatcherRegistration[]>>;

export interface HookMatcherRegistration {
  readonly matcher?: string | undefined;
  readonly hookCallbackIds: readonly string[];
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly onFailure?: 'continue' | 'block' | undefined;
}

export interface HookRequest {
  readonly callback_id: string;
  readonly input: HookInput;
  readonly tool_use_id?: string;
}
