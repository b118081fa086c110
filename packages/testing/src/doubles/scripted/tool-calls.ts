import { Deferred } from '@hexagent/async';
import { LEGACY_TOOL_NAME_ALIASES } from '@hexagent/ports';
import { texts } from './facts.ts';
import type { HostedServers } from './hosted-servers.ts';
import type { RegisteredHooks } from './hooks.ts';
import type { Interruption } from './interruption.ts';
import { PermissionAsking, type ToolCall, type ToolInput, type Verdict } from './permission-asking.ts';
import type { AgentRequests } from './requests.ts';
import type { Session } from './session.ts';

export interface ToolParts {
  readonly session: Session;
  readonly requests: AgentRequests;
  readonly hooks: RegisteredHooks;
  readonly servers: HostedServers;
}

/** What a tool that has run returns. */
export interface ToolOutcome {
  readonly content: unknown;
  readonly response: unknown;
}

type Outcome = ToolOutcome | { readonly error: string };

/** The tool calls of one turn: hooks, permission, the tool itself, its result. */
export class ToolCalls {
  readonly #session: Session;
  readonly #hooks: RegisteredHooks;
  readonly #servers: HostedServers;
  readonly #interruption: Interruption;
  readonly #permission: PermissionAsking;
  /** Calls of the model that have no result yet. */
  readonly #open = new Map<string, ToolCall>();
  #results = 0;
  /** What new calls wait for, and all calls so far. */
  #before: Promise<void> = Promise.resolve();
  #calls: Promise<void> = Promise.resolve();
  readonly #running: Promise<void>[] = [];
  #lastReadOnly = false;
  #answerStreamed = new Deferred<void>();
  readonly #atWork = new Set<string>();

  constructor({ session, requests, hooks, servers }: ToolParts, interruption: Interruption) {
    this.#session = session;
    this.#hooks = hooks;
    this.#servers = servers;
    this.#interruption = interruption;
    this.#permission = new PermissionAsking(session, requests, interruption);
  }

  get denials(): readonly object[] {
    return this.#permission.denials;
  }

  /** How many results were written. */
  get results(): number {
    return this.#results;
  }

  get unfinished(): boolean {
    return this.#open.size > 0;
  }

  /** Begins a call: after those before it, but together with neighbours that change nothing. Recordings 03, 37. */
  begin(call: ToolCall): void {
    this.#open.set(call.id, call);
    const together = call.step.readOnly === true && this.#lastReadOnly;
    this.#lastReadOnly = call.step.readOnly === true;
    if (!together) this.#before = this.#calls;
    const running = this.#before.then(() => this.#run(call));
    this.#running.push(running);
    this.#calls = Promise.all([this.#calls, running]).then(() => {});
    // `finished()` rejects with it.
    this.#calls.catch(() => {});
  }

  /** The answer that contains the calls is complete, so their results may follow. @throws {Interrupted} */
  async finished(): Promise<void> {
    this.#answerStreamed.resolve();
    await this.#calls;
    this.#answerStreamed = new Deferred();
  }

  /** Stops every call. */
  async settled(): Promise<void> {
    this.#answerStreamed.resolve();
    await Promise.allSettled(this.#running);
  }

  /** The results of calls that an interrupt stopped. Recording 21-interrupt-during-tool. */
  rejectUnfinished(): void {
    for (const { id } of this.#open.values()) {
      const content = this.#atWork.has(id) ? texts.rejected + texts.stoppedWhileRunning : texts.rejected;
      const block = { type: 'tool_result', content, is_error: true, tool_use_id: id };
      const meta = [{ id, non_execution_kind: 'user-rejected' }];
      this.#result(id, block, { tool_use_result: 'User rejected tool use', tool_result_meta: meta });
    }
  }

  async #run(call: ToolCall): Promise<void> {
    const notes: string[] = [];
    const verdict = await this.#decide(call, notes);
    if (!verdict.allowed) {
      await this.#interruption.working(this.#answerStreamed.promise);
      return this.#failed(call, verdict.message, verdict.kind);
    }
    this.#atWork.add(call.id);
    const outcome = await this.#interruption.working(this.#work(call, verdict.input));
    await this.#interruption.working(this.#answerStreamed.promise);
    // Recording 11-hook-pretooluse-allow-updatedInput.
    for (const content of notes) this.#session.system('informational', { content, level: 'notice' });
    await this.#finished(call, verdict.input, outcome);
  }

  /** Adds the hooks' messages to the user to `notes`. */
  async #decide(call: ToolCall, notes: string[]): Promise<Verdict> {
    const { input, asks } = call.step;
    const name = nameOf(call);
    const fields = { tool_name: name, tool_input: input, tool_use_id: call.id };
    const asked = this.#hooks.run('PreToolUse', fields, { name, id: call.id });
    const { outputs, blocked, closed } = await this.#interruption.working(asked);
    // Recording 44-eof-during-hook.
    if (closed) return { allowed: false, message: texts.hookClosed, kind: 'cancelled' };
    for (const { systemMessage } of outputs) {
      if (typeof systemMessage === 'string') notes.push(`PreToolUse:${name} says: ${systemMessage}`);
    }
    const specific = outputs.map(({ hookSpecificOutput }) => (hookSpecificOutput ?? {}) as PreToolUseOutput);
    const decisions = new Map(specific.map((output) => [output.permissionDecision, output]));
    const refusal = blocked ?? decisions.get('deny')?.permissionDecisionReason;
    // Recording 11-hook-pretooluse-deny.
    if (refusal !== undefined) return this.#permission.deny(call, `PreToolUse:${name} hook error: ${refusal}`);
    const changed = specific.findLast(({ updatedInput }) => updatedInput !== undefined)?.updatedInput ?? input;
    const question = decisions.get('ask');
    if (question === undefined && (asks !== true || decisions.has('allow'))) return { allowed: true, input: changed };
    return await this.#permission.ask(call, changed, { ...this.#origin(name), ...hookReason(question) });
  }

  async #work({ id, step, start }: ToolCall, input: ToolInput): Promise<Outcome> {
    if (start) return start();
    const { name, until, result = 'ok', isError } = step;
    const hosted = this.#servers.find(name);
    if (hosted) {
      const outcome = await this.#servers.call(hosted.server, hosted.tool, { input, toolUseId: id });
      if (outcome.kind === 'content') return { content: outcome.content, response: outcome.content };
      return { error: outcome.kind === 'closed' ? texts.mcpClosed : outcome.message };
    }
    if (until) await until.pass();
    const text = typeof result === 'string' ? result : result(input);
    if (isError === true) return { error: text };
    return { content: text, response: { stdout: text, stderr: '', interrupted: false } };
  }

  /** The tool has run: its hooks cannot change the result. Recording 11-hook-posttooluse-context-block. */
  async #finished(call: ToolCall, input: ToolInput, outcome: Outcome): Promise<void> {
    const name = nameOf(call);
    const base = { tool_name: name, tool_input: input, tool_use_id: call.id };
    const failed = 'error' in outcome;
    const event = failed ? 'PostToolUseFailure' : 'PostToolUse';
    // There is no clock here: a time that any program may print. Recording 10-hooks-all-events.
    const duration_ms = 1;
    const fields = failed
      ? { ...base, error: outcome.error, is_interrupt: false, duration_ms }
      : { ...base, tool_response: outcome.response, duration_ms };
    await this.#interruption.working(this.#hooks.run(event, fields, { name, id: call.id }));
    if (failed) return this.#failed(call, outcome.error);
    const block = { tool_use_id: call.id, type: 'tool_result', content: outcome.content, is_error: false };
    this.#result(call.id, block, { tool_use_result: outcome.response, tool_result_meta: [{ id: call.id }] });
  }

  #result(id: string, block: object, fields: object): void {
    this.#open.delete(id);
    this.#results += 1;
    this.#session.user([block], fields);
  }

  #failed({ id }: ToolCall, message: string, kind?: string): void {
    const block = { type: 'tool_result', content: message, is_error: true, tool_use_id: id };
    const meta = kind === undefined ? { id } : { id, non_execution_kind: kind };
    this.#result(id, block, { tool_use_result: `Error: ${message}`, tool_result_meta: [meta] });
  }

  #origin(name: string): object {
    const hosted = this.#servers.find(name);
    return hosted ? { mcp_server: { name: hosted.server, source: 'sdk' } } : {};
  }
}

/** A tool that has another name now is called by the old one still. */
function nameOf({ step: { name } }: ToolCall): string {
  return new Map(Object.entries(LEGACY_TOOL_NAME_ALIASES)).get(name) ?? name;
}

interface PreToolUseOutput {
  readonly permissionDecision?: 'allow' | 'deny' | 'ask';
  readonly permissionDecisionReason?: string;
  readonly updatedInput?: ToolInput;
}

/** Recording 11-hook-pretooluse-ask. */
function hookReason(output: PreToolUseOutput | undefined): object {
  if (output === undefined) return {};
  return {
    decision_reason: output.permissionDecisionReason,
    decision_reason_type: 'hook',
    decision_reason_hook_event: 'PreToolUse',
    decision_reason_hook_source: 'settings',
  };
}
