import type { Answer } from './answer.ts';
import type { JsonObject, UiApprovalDescriptor } from './ui-data.ts';
import { defined } from './loose.ts';
import type { UiApproval, UiApprovalAnswer } from './ui-translator.ts';

/** How a call ended. */
export type ToolOutcome =
  | { readonly kind: 'output'; readonly output: unknown; readonly modelText?: string | undefined }
  | NoOutput;

/** How a call ended without an output. `interrupted`: the turn ended first, and whether the call took effect is not known. */
export interface NoOutput {
  readonly kind: 'error' | 'denied' | 'interrupted';
  readonly text: string;
}

/** The error text of a call that was cut off. */
export const withoutResult = 'The turn ended before this call had a result.';

interface ToolCall {
  readonly id: string;
  readonly name: string;
  state: 'streaming' | 'available' | 'settled';
  approval: { readonly id: string; approved?: boolean } | undefined;
}

interface HeldApproval {
  readonly approval: UiApproval;
  answer?: UiApprovalAnswer;
}

/** The calls of tools in an answer, each in one of the states that a page supports. */
export class ToolCalls {
  readonly #answer: Answer;
  readonly #calls = new Map<string, ToolCall>();
  readonly #byApproval = new Map<string, ToolCall>();
  /** Approvals of calls that are not complete yet: they are asked for before the messages in front are read. */
  readonly #held = new Map<string, HeldApproval>();

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** The name of the tool; `unknown` for a call that was not reported. */
  nameOf(id: string): string {
    return this.#calls.get(id)?.name ?? 'unknown';
  }

  start(id: string, name: string): void {
    if (this.#calls.has(id)) return;
    this.#add(id, name, 'streaming');
    this.#answer.emit({ type: 'tool-input-start', ...fieldsOf(id, name) });
  }

  append(id: string, inputTextDelta: string): void {
    if (inputTextDelta === '' || this.#calls.get(id)?.state !== 'streaming') return;
    this.#answer.emitPiece({ type: 'tool-input-delta', toolCallId: id, inputTextDelta });
  }

  /** Does nothing for a call whose input was emitted: emitting it again would undo its result. */
  complete(id: string, name: string, input: unknown, metadata?: JsonObject): void {
    const call = this.#calls.get(id);
    if (call !== undefined && call.state !== 'streaming') return;
    const current = call ?? this.#add(id, name, 'streaming');
    current.state = 'available';
    const fields = fieldsOf(id, name);
    this.#answer.emit({
      type: 'tool-input-available',
      input: input ?? {},
      ...fields,
      ...(metadata && { toolMetadata: metadata }),
    });
    this.#releaseHeld(current);
  }

  /** The agent withdrew the call. */
  forget(id: string): void {
    const approval = this.#calls.get(id)?.approval;
    if (approval !== undefined) this.#byApproval.delete(approval.id);
    this.#calls.delete(id);
    this.#held.delete(id);
  }

  ask(approval: UiApproval, metadata?: JsonObject): void {
    const { toolUseId, tool, input, agentId } = approval;
    const call = this.#calls.get(toolUseId);
    if (call?.state === 'settled') return;
    if (call?.state === 'available') return this.#request(call, approval);
    this.#held.set(toolUseId, { approval });
    // A subagent's call may have no message, and the person who decides about it has to see it all the same.
    if (agentId !== undefined) this.complete(toolUseId, tool, input, metadata);
  }

  settle(answer: UiApprovalAnswer): void {
    const call = this.#byApproval.get(answer.id);
    if (call !== undefined) return this.#respond(call, answer);
    for (const held of this.#held.values()) if (held.approval.id === answer.id) held.answer = answer;
  }

  /** The agent denied a call without a request for permission. */
  refuse(id: string, reason: string): void {
    const call = this.#calls.get(id);
    if (call?.state === 'available') this.#respondAutomatically(call, reason, true);
  }

  /** Something about a call that runs, until it has a result. Returns whether it runs. */
  progress(id: string, output: unknown): boolean {
    const call = this.#calls.get(id);
    if (call?.state !== 'available' || (call.approval !== undefined && call.approval.approved !== true)) return false;
    this.#answer.emit({ type: 'tool-output-available', toolCallId: id, output, dynamic: true, preliminary: true });
    return true;
  }

  finish(id: string, outcome: ToolOutcome): void {
    const call = this.#calls.get(id);
    if (call === undefined || call.state === 'settled') return;
    if (outcome.kind !== 'output') return this.#endWithout(call, outcome);
    this.#agree(call);
    call.state = 'settled';
    const { output, modelText } = outcome;
    this.#answer.emit({
      type: 'tool-output-available',
      toolCallId: id,
      output: output ?? null,
      dynamic: true,
      ...(modelText !== undefined && { providerMetadata: { hexagent: { modelText } } }),
    });
  }

  #endWithout(call: ToolCall, { kind, text }: NoOutput): void {
    if (kind === 'denied') this.#deny(call, text);
    else if (kind === 'interrupted') this.#interrupt(call, text);
    else this.#fail(call, text);
  }

  /** The turn is over: calls without a result will not get one. */
  finishAll(outcome: NoOutput): void {
    this.#held.clear();
    for (const id of this.#calls.keys()) this.finish(id, outcome);
  }

  #add(id: string, name: string, state: ToolCall['state']): ToolCall {
    const call: ToolCall = { id, name, state, approval: undefined };
    this.#calls.set(id, call);
    return call;
  }

  #releaseHeld(call: ToolCall): void {
    const held = this.#held.get(call.id);
    if (held === undefined) return;
    this.#held.delete(call.id);
    this.#request(call, held.approval);
    if (held.answer !== undefined) this.#respond(call, held.answer);
  }

  #request(call: ToolCall, approval: UiApproval): void {
    if (this.#byApproval.has(approval.id)) return;
    this.#approve(call, approval.id);
    const { reason } = approval;
    this.#answer.emit({
      type: 'tool-approval-request',
      approvalId: approval.id,
      toolCallId: call.id,
      approvalDescriptor: descriptorOf(approval),
      ...(reason !== undefined && { reason }),
    });
  }

  #approve(call: ToolCall, approvalId: string): void {
    call.approval = { id: approvalId };
    this.#byApproval.set(approvalId, call);
  }

  /** A response after the result would undo the result. */
  #respond(call: ToolCall, { id, approved, reason, cancelled = false }: UiApprovalAnswer): void {
    if (call.state === 'settled' || call.approval?.id !== id) return;
    const isApproved = approved && !cancelled;
    call.approval.approved = isApproved;
    const why = reason ?? (cancelled ? 'cancelled' : undefined);
    this.#answer.emit({
      type: 'tool-approval-response',
      approvalId: id,
      approved: isApproved,
      ...(why !== undefined && { reason: why }),
    });
  }

  #respondAutomatically(call: ToolCall, reason: string, isAutomatic: boolean): void {
    if (call.approval === undefined) {
      const approvalId = `denied:${call.id}`;
      this.#approve(call, approvalId);
      const automatic = isAutomatic && ({ isAutomatic } as const);
      this.#answer.emit({ type: 'tool-approval-request', approvalId, toolCallId: call.id, reason, ...automatic });
    }
    const { approval } = call;
    if (approval !== undefined && approval.approved !== false)
      this.#respond(call, { id: approval.id, approved: false, reason });
  }

  /** A page accepts a denial only of a call with a request for approval, so that is emitted first. */
  #deny(call: ToolCall, reason: string): void {
    this.#respondAutomatically(call, reason, false);
    call.state = 'settled';
    this.#answer.emit({ type: 'tool-output-denied', toolCallId: call.id });
  }

  #fail(call: ToolCall, errorText: string): void {
    // Nothing shows that it was allowed, and what was not allowed has not run.
    if (call.approval !== undefined && call.approval.approved !== true) return this.#deny(call, errorText);
    call.state = 'settled';
    this.#answer.emit({ type: 'tool-output-error', toolCallId: call.id, errorText, dynamic: true });
  }

  /** A call that waits for a person stays as it is: a page accepts an error only of an allowed call. */
  #interrupt(call: ToolCall, errorText: string): void {
    if (call.approval?.approved === false) return this.#deny(call, errorText);
    call.state = 'settled';
    if (call.approval !== undefined && call.approval.approved === undefined) return;
    const providerMetadata = { hexagent: { interrupted: true } };
    this.#answer.emit({ type: 'tool-output-error', toolCallId: call.id, errorText, dynamic: true, providerMetadata });
  }

  /** A call that ran was allowed: a page accepts a result only of an approved call. */
  #agree(call: ToolCall): void {
    const { approval } = call;
    if (approval !== undefined && approval.approved !== true) this.#respond(call, { id: approval.id, approved: true });
  }
}

function fieldsOf(toolCallId: string, toolName: string) {
  return { toolCallId, toolName, dynamic: true, providerExecuted: true } as const;
}

function descriptorOf(approval: UiApproval): UiApprovalDescriptor {
  const { kind, suggestions = [], refusedSuggestions = [], asksAgain = [], permissionModes = [], ...more } = approval;
  const { title, blockedPath, agentId } = more;
  return {
    kind,
    suggestions: [...suggestions],
    ...(refusedSuggestions.length > 0 && { refusedSuggestions: [...refusedSuggestions] }),
    ...(asksAgain.length > 0 && { asksAgain: [...asksAgain] }),
    ...(permissionModes.length > 0 && { permissionModes: [...permissionModes] }),
    ...defined({ title, blockedPath, agentId }),
  };
}
