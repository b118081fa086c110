import type { Context } from '@opentelemetry/api';
import { isRecord } from '@hexagent/checks';
import { AgentTrace } from './agent-trace.ts';
import type { Ending } from './ending.ts';
import type { Kit } from './kit.ts';
import { genAi } from './names.ts';
import type { ToolTrace } from './tool-trace.ts';

interface Subagent {
  readonly agent: AgentTrace;
  /** It runs beside the conversation, and may outlive the turn that started it. */
  isInBackground: boolean;
}

/** The call that starts a subagent. */
export interface StartingCall {
  readonly context: Context;
  readonly input: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** The subagents that run, by the call that started each. */
export class Subagents {
  readonly #kit: Kit;
  readonly #running = new Map<string, Subagent>();
  /** The call of each task, which later messages do not name. */
  readonly #calls = new Map<string, string>();

  constructor(kit: Kit) {
    this.#kit = kit;
  }

  get(call: string): AgentTrace | undefined {
    return this.#running.get(call)?.agent;
  }

  toolOf(call: string): ToolTrace | undefined {
    for (const { agent } of this.#running.values()) {
      const tool = agent.tools.get(call);
      if (tool !== undefined) return tool;
    }
    return undefined;
  }

  /** The first message of a subagent, or the report of its start. Without its call it is late, or of another session. */
  begin(call: string, start: StartingCall | undefined, at: number, reported: Fields = {}): AgentTrace | undefined {
    if (start === undefined) return undefined;
    const given = isRecord(start.input) ? start.input['subagent_type'] : undefined;
    const name = [reported['subagent_type'], given].find((each) => typeof each === 'string') ?? 'subagent';
    const id = reported['task_id'];
    const attributes = typeof id === 'string' ? { [genAi.agentId]: id } : {};
    const agent = new AgentTrace(this.#kit, { name, isSubagent: true, parent: start.context, at, attributes });
    this.#running.set(call, { agent, isInBackground: false });
    return agent;
  }

  started(task: Fields, start: StartingCall | undefined, at: number): void {
    const { task_id: id, tool_use_id: call, task_type: type, is_backgrounded: isInBackground } = task;
    if (type !== 'local_agent' || typeof call !== 'string') return;
    if (!this.#running.has(call)) this.begin(call, start, at, task);
    const subagent = this.#running.get(call);
    if (subagent === undefined) return;
    subagent.isInBackground = isInBackground === true;
    if (typeof id === 'string') this.#calls.set(id, call);
  }

  /** A subagent that the turn waited for may be sent to the background. */
  updated({ task_id: id, patch }: Fields): void {
    const call = typeof id === 'string' ? this.#calls.get(id) : undefined;
    const subagent = call === undefined ? undefined : this.#running.get(call);
    if (subagent !== undefined && isRecord(patch) && patch['is_backgrounded'] === true) subagent.isInBackground = true;
  }

  notified({ task_id: id, tool_use_id: named, status }: Fields, at: number): void {
    const call = typeof named === 'string' ? named : typeof id === 'string' ? this.#calls.get(id) : undefined;
    if (typeof id === 'string') this.#calls.delete(id);
    if (call !== undefined) this.#end(call, status === 'completed' ? {} : { error: `task_${String(status)}` }, at);
  }

  /** The call has a result: where that came at once, the subagent runs on in the background. */
  returned(call: string, isError: boolean, at: number): void {
    const subagent = this.#running.get(call);
    if (subagent === undefined || (subagent.isInBackground && !isError)) return;
    this.#end(call, isError ? { error: 'tool_error' } : {}, at);
  }

  /** Ends those that an agent waits for. */
  endOf(agent: AgentTrace, ending: Ending, at: number): void {
    for (const call of agent.tools.keys()) this.#end(call, ending, at);
  }

  end(ending: Ending, at: number): void {
    for (const call of [...this.#running.keys()]) this.#end(call, ending, at);
  }

  #end(call: string, ending: Ending, at: number): void {
    const subagent = this.#running.get(call);
    if (subagent === undefined) return;
    this.#running.delete(call);
    this.endOf(subagent.agent, ending, at);
    subagent.agent.end(ending, at);
  }
}
