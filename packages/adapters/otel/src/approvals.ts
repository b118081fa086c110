import type { Attributes, Span } from '@opentelemetry/api';
import { isRecord } from '@hexagent/checks';
import type { Instruments } from './instruments.ts';
import { events, genAi, own } from './names.ts';

/** A request of the agent to the program, while it waits. */
interface Waiting {
  readonly attributes: Attributes;
  readonly call: string | undefined;
  readonly isHook: boolean;
  readonly at: number;
  isForPerson: boolean;
}

/** The spans that the events of approvals are added to. */
export interface ApprovalSpans {
  /** That of the call, or of what runs. */
  spanOf(call: string | undefined): Span | undefined;
  /** The call will not run. */
  denied(call: string | undefined): void;
}

const kinds: Readonly<Record<string, string>> = {
  can_use_tool: 'call',
  elicitation: 'elicitation',
  request_user_dialog: 'dialog',
};
const kindsByTool: Readonly<Record<string, string>> = { AskUserQuestion: 'question', ExitPlanMode: 'plan' };

/** Who was asked, who answered, and how long that took: events on the span of the call. */
export class Approvals {
  readonly #waiting = new Map<string, Waiting>();
  readonly #spans: ApprovalSpans;
  readonly #instruments: Instruments;

  constructor(spans: ApprovalSpans, instruments: Instruments) {
    this.#spans = spans;
    this.#instruments = instruments;
  }

  /** The agent sends a request. Only those are kept that ask whether it may do something. */
  requested(id: unknown, request: unknown, at: number): void {
    if (typeof id !== 'string' || !isRecord(request) || this.#waiting.has(id)) return;
    const { subtype, tool_name: tool, tool_use_id: call, input } = request;
    const isHook = subtype === 'hook_callback' && isRecord(input) && asksBefore.has(String(input['hook_event_name']));
    const kind = isHook ? 'call' : kinds[String(subtype)];
    if (kind === undefined) return;
    const name = isHook ? input['tool_name'] : tool;
    const attributes = {
      [own.approvalKind]: (typeof name === 'string' && kindsByTool[name]) || kind,
      ...(typeof name === 'string' && { [genAi.toolName]: name }),
      ...(typeof call === 'string' && { [genAi.toolCallId]: call }),
    };
    const named = typeof call === 'string' ? call : undefined;
    this.#waiting.set(id, { attributes, call: named, isHook, at, isForPerson: false });
    if (!isHook) this.#instruments.approvalOpened();
  }

  /** The request is shown to a person. */
  askedPerson(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) waiting.isForPerson = true;
  }

  /** The program answers a request. */
  answered(response: unknown, at: number): void {
    if (!isRecord(response)) return;
    const { request_id: id, subtype, response: answer } = response;
    const waiting = typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return;
    const decision = subtype === 'error' ? 'error' : decisionOf(answer, waiting.isHook);
    const by = waiting.isForPerson ? 'person' : waiting.isHook ? 'hook' : 'program';
    this.#close(String(id), { decision, by, at });
  }

  withdrawn(id: unknown, at: number): void {
    if (typeof id === 'string') this.#close(id, { decision: 'withdrawn', by: 'agent', at });
  }

  /** The agent denied a call by its own rules, without a request. */
  deniedByAgent(message: Readonly<Record<string, unknown>>): void {
    const { tool_use_id: call, tool_name: tool } = message;
    const named = typeof call === 'string' ? call : undefined;
    this.#spans.denied(named);
    this.#spans.spanOf(named)?.addEvent(events.approval, {
      [own.approvalKind]: 'call',
      [own.decision]: 'deny',
      [own.answeredBy]: 'agent',
      [own.wait]: 0,
      ...(typeof tool === 'string' && { [genAi.toolName]: tool }),
      ...(named !== undefined && { [genAi.toolCallId]: named }),
    });
  }

  /** No answer is awaited any more: the agent is gone, or the calls are over. */
  end(at: number, calls?: ReadonlySet<string>): void {
    for (const [id, { call }] of this.#waiting)
      if (calls === undefined || (call !== undefined && calls.has(call)))
        this.#close(id, { decision: 'unanswered', by: 'agent', at });
  }

  #close(
    id: string,
    { decision, by, at }: { readonly decision: string; readonly by: string; readonly at: number },
  ): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    const { attributes, call, isHook } = waiting;
    // A hook that leaves the decision to others has approved of nothing.
    if (isHook && decision === 'none') return;
    if (decision === 'deny') this.#spans.denied(call);
    const seconds = (at - waiting.at) / 1000;
    const answer = { [own.decision]: decision, [own.answeredBy]: by };
    this.#spans.spanOf(call)?.addEvent(events.approval, { ...attributes, ...answer, [own.wait]: seconds }, at);
    if (!isHook)
      this.#instruments.approvalClosed(seconds, { [own.approvalKind]: attributes[own.approvalKind], ...answer });
  }
}

/** Hooks that may decide about a call. */
const asksBefore: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest']);

/** The decision in the answer: `allow` or `deny` of a permission or a hook, `accept`, `decline` or `cancel` of an elicitation. */
function decisionOf(answer: unknown, isHook: boolean): string {
  if (!isRecord(answer)) return 'none';
  const { hookSpecificOutput: specific, decision, behavior, action } = answer;
  if (!isHook) return [behavior, action].find((value) => typeof value === 'string') ?? 'none';
  const { permissionDecision, decision: inner } = isRecord(specific) ? specific : {};
  const decided = isRecord(inner) ? inner['behavior'] : permissionDecision;
  if (typeof decided === 'string') return decided;
  return decision === 'block' ? 'deny' : 'none';
}
