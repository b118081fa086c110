import type { AgentRequests } from './requests.ts';
import type { Session } from './session.ts';

/** What the hooks of one event answered. */
export interface HookOutcome {
  readonly outputs: readonly Readonly<Record<string, unknown>>[];
  /** A hook failed and its matcher has `onFailure: block`; the text for the model. */
  readonly blocked?: string | undefined;
  /** The host ended its side instead of answering. */
  readonly closed: boolean;
}

interface Matcher {
  readonly matcher?: string;
  readonly hookCallbackIds: readonly string[];
  readonly onFailure?: 'continue' | 'block';
}

/** Calls the host's hooks, as `initialize` registered them. */
export class RegisteredHooks {
  readonly #session: Session;
  readonly #requests: AgentRequests;
  #matchers: Readonly<Record<string, readonly Matcher[]>> = {};

  constructor(session: Session, requests: AgentRequests) {
    this.#session = session;
    this.#requests = requests;
  }

  /** The newest set replaces the one before. Recording 16-initialize-late-and-twice. */
  register(hooks: unknown): void {
    // The field of `initialize`, in the form that recording 10-hooks-all-events shows.
    this.#matchers = (hooks ?? {}) as Readonly<Record<string, readonly Matcher[]>>;
  }

  /** All callbacks that match are called at once. Recording 70-hook-matchers. */
  async run(
    event: string,
    fields: object,
    tool?: { readonly name: string; readonly id: string },
  ): Promise<HookOutcome> {
    const callbacks = (this.#matchers[event] ?? [])
      .filter(({ matcher }) => tool === undefined || matches(matcher, tool.name))
      .flatMap(({ hookCallbackIds, onFailure }) => hookCallbackIds.map((id) => ({ id, onFailure })));
    const input = this.#input(event, fields);
    const outcomes = await Promise.all(
      callbacks.map((callback) => this.#ask(event, callback, input, tool?.id ?? this.#session.uuid())),
    );
    return {
      outputs: outcomes.flatMap(({ outputs }) => outputs),
      blocked: outcomes.find(({ blocked }) => blocked !== undefined)?.blocked,
      closed: outcomes.some(({ closed }) => closed),
    };
  }

  #input(event: string, fields: object): object {
    const { id, launch, permissionMode } = this.#session;
    return {
      session_id: id,
      transcript_path: `/home/user/.claude/projects/-work-project/${id}.jsonl`,
      cwd: launch.cwd ?? '/work/project',
      permission_mode: permissionMode,
      hook_event_name: event,
      ...fields,
    };
  }

  async #ask(
    event: string,
    { id, onFailure }: { readonly id: string; readonly onFailure: string | undefined },
    input: object,
    toolUseId: string,
  ): Promise<HookOutcome> {
    const request = { subtype: 'hook_callback', callback_id: id, input, tool_use_id: toolUseId };
    const answer = await this.#requests.ask(request);
    if (answer.kind === 'success') return { outputs: [answer.response ?? {}], closed: false };
    if (answer.kind !== 'error') return { outputs: [], closed: true };
    // Recordings 11-hook-throws and 11-hook-throws-onFailure-block.
    const failed = `Hook callback ${id} failed: the SDK host replied with an error or an invalid answer.`;
    const blocks = onFailure === 'block';
    const verdict = blocks
      ? 'onFailure is "block", so this failure counts as a block.'
      : 'Its answer was treated as empty.';
    this.#session.system('informational', {
      content: `${event}: ${failed} ${verdict}`,
      level: 'warning',
      tag: 'hook_callback_failed',
    });
    const blocked = `[callback]: failed; blocking because onFailure is "block"\n${failed}`;
    return { outputs: [], blocked: blocks ? blocked : undefined, closed: false };
  }
}

/**
 * Names are compared whole, with the same case; anything else is a regular expression that is searched for, and one
 * that does not compile matches nothing. Recording 70-hook-matchers, and e2e/hooks/hook-matchers.test.ts.
 */
function matches(matcher: string | undefined, toolName: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (/^[\w|, -]+$/.test(matcher)) return matcher.split(/[|,]/).some((name) => name.trim() === toolName);
  try {
    return new RegExp(matcher).test(toolName);
  } catch {
    return false;
  }
}
