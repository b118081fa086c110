/** Runs the program's hooks when the agent reaches their event. */
export interface HookDispatcher {
  /** The `hooks` field of `initialize`; `undefined` when no hook is registered. */
  registration(): HookRegistration | undefined;
  /** A rejection is reported to the agent, which then follows the matcher's `onFailure`. */
  dispatch(request: HookRequest, context: { readonly signal: AbortSignal }): Promise<HookOutput>;
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

/** What a hook is told, in the agent's spelling. Fields beyond these depend on the event. */
export interface HookInput {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly [field: string]: unknown;
}

/** What a hook may answer, in the agent's spelling; `{}` means go on. */
export interface HookOutput {
  readonly continue?: boolean | undefined;
  readonly stopReason?: string | undefined;
  readonly suppressOutput?: boolean | undefined;
  readonly systemMessage?: string | undefined;
  readonly decision?: 'approve' | 'block' | undefined;
  readonly reason?: string | undefined;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>> | undefined;
  /** The agent goes on at once and does not wait for this hook. */
  readonly async?: boolean | undefined;
  readonly asyncTimeout?: number | undefined;
}

/** One hook as a program writes it. Nothing returned is the same as `{}`: the agent goes on. */
export type HookCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  context: { readonly signal: AbortSignal },
) => Promise<HookOutput | void> | HookOutput | void;

/** Hooks of one event that share a matcher. */
export interface HookMatcher {
  /** A tool name, names joined by `|`, or a regular expression over whole names; absent for all. */
  readonly matcher?: string | undefined;
  /** Called all of them, each with the same input. */
  readonly hooks: readonly HookCallback[];
  /** Seconds the agent waits for an answer; then it refuses the tool call. */
  readonly timeout?: number | undefined;
  /** What the agent does when a hook fails: go on (the default), or block what it was about to do. */
  readonly onFailure?: 'continue' | 'block' | undefined;
}

/** Hooks by event name. */
export type HookTable = Readonly<Partial<Record<string, readonly HookMatcher[]>>>;
