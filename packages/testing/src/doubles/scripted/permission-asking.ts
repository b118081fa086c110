import { texts } from './facts.ts';
import { Interrupted, type Interruption } from './interruption.ts';
import type { AgentRequests, Answer } from './requests.ts';
import type { ToolStep } from './script.ts';
import type { Session } from './session.ts';

/** A tool use of the model. */
export interface ToolCall {
  readonly id: string;
  readonly step: ToolStep;
  /** Runs it, where that is not only a result. */
  readonly start?: () => { readonly content: unknown; readonly response: unknown };
}

export type ToolInput = Readonly<Record<string, unknown>>;

export type Verdict =
  | { readonly allowed: true; readonly input: ToolInput }
  | { readonly allowed: false; readonly message: string; readonly kind: string };

/** Asks the host about tool calls and evaluates its answers. */
export class PermissionAsking {
  /** As the result lists them. */
  readonly denials: object[] = [];
  readonly #session: Session;
  readonly #requests: AgentRequests;
  readonly #interruption: Interruption;
  #open = 0;

  constructor(session: Session, requests: AgentRequests, interruption: Interruption) {
    this.#session = session;
    this.#requests = requests;
    this.#interruption = interruption;
  }

  async ask(call: ToolCall, input: ToolInput, fields: object): Promise<Verdict> {
    const { name } = call.step;
    if (!hostIsAsked(this.#session)) {
      // Recording 09-no-permission-handler.
      const message = `${name} needs approval, and nobody can be asked.`;
      this.#session.system('permission_denied', { tool_name: name, tool_use_id: call.id, message });
      return this.deny(call, message);
    }
    this.#open += 1;
    this.#session.state('requires_action');
    const subtype = 'can_use_tool';
    const answer = await this.#requests.ask({
      subtype,
      tool_name: name,
      display_name: name,
      input,
      ...fields,
      tool_use_id: call.id,
    });
    this.#open -= 1;
    // Recording 37-parallel-read-permissions: only when all are answered.
    if (this.#open === 0) this.#session.state('running');
    return this.#judge(call, input, answer);
  }

  deny(call: ToolCall, message: string): Verdict {
    this.#note(call);
    return { allowed: false, message, kind: 'permission-rule' };
  }

  /** Recordings 02, 08, 14, 44-eof-with-pending-permission, h-eof-before-ask. */
  #judge(call: ToolCall, input: ToolInput, answer: Answer): Verdict {
    if (answer.kind === 'withdrawn') {
      this.#note(call);
      throw new Interrupted();
    }
    if (answer.kind === 'closed') return this.deny(call, texts.permissionStreamClosed);
    if (answer.kind === 'unasked') return this.deny(call, texts.permissionAfterEnd);
    if (answer.kind === 'success') return this.#obey(call, input, answer.response ?? {});
    const reason = answer.error === undefined ? 'Error' : `Error: ${answer.error}`;
    return this.deny(call, `Tool permission request failed: ${reason}`);
  }

  #obey(call: ToolCall, input: ToolInput, output: PermissionOutput): Verdict {
    const { behavior, updatedInput, message, interrupt, updatedPermissions = [] } = output;
    if (behavior === 'deny' && typeof message === 'string') {
      if (interrupt !== true) return this.deny(call, message);
      // Recording 04-deny-with-interrupt.
      this.#note(call);
      this.#interruption.interrupt('interrupt');
      throw new Interrupted();
    }
    const inputFits = updatedInput === undefined || typeof updatedInput === 'object';
    if (behavior !== 'allow' || !inputFits) return this.deny(call, texts.invalidAnswer);
    for (const { type, mode } of updatedPermissions) if (type === 'setMode' && mode !== undefined) this.#setMode(mode);
    // Recording 06-plan-mode-exit.
    const leavesPlan = call.step.name === 'ExitPlanMode' && this.#session.permissionMode === 'plan';
    if (leavesPlan) this.#setMode('default');
    // Recording 14-permission-raw-odd-answers: an empty object counts as not given.
    const given = updatedInput !== undefined && Object.keys(updatedInput).length > 0;
    return { allowed: true, input: given ? updatedInput : input };
  }

  /** Recording 07-updatedPermissions-setMode. */
  #setMode(mode: string): void {
    this.#session.permissionMode = mode;
    this.#session.status({ status: null, permissionMode: mode });
  }

  #note({ id, step }: ToolCall): void {
    this.denials.push({ tool_name: step.name, tool_use_id: id, tool_input: step.input });
  }
}

interface PermissionOutput {
  readonly behavior?: string;
  readonly updatedInput?: ToolInput;
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedPermissions?: readonly { readonly type: string; readonly mode?: string }[];
}

function hostIsAsked({ launch: { args } }: Session): boolean {
  const flag = args.indexOf('--permission-prompt-tool');
  return args.includes('--permission-prompt-tool=stdio') || (flag !== -1 && args[flag + 1] === 'stdio');
}
