import { listAt, objectAt, textAt, type Json } from './entry.ts';
import type { Facts, Noted } from './facts.ts';
import type { Agent, ToolCall } from './run.ts';

interface Place {
  readonly noted: Noted;
  readonly turn: number;
  readonly parent: string | undefined;
}

/** The tool calls of one agent: who decided about them, what came back, and which started subagents. */
export class CallFold {
  readonly #agent: Agent;
  /** The call of each subagent, by the id of its task. */
  readonly #tasks = new Map<string, ToolCall>();

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  open(block: Json, { noted, turn, parent }: Place): ToolCall {
    const id = textAt(block, 'id');
    const known = this.#agent.calls.get(id);
    if (known !== undefined) return known;
    const call: ToolCall = {
      id,
      name: textAt(block, 'name'),
      input: objectAt(block, 'input'),
      t: noted.t,
      row: noted.index,
      turn,
      parent,
      asks: [],
      result: undefined,
      decision: undefined,
      subagent: undefined,
    };
    this.#agent.calls.set(id, call);
    return call;
  }

  /** A `user` frame of the agent: the results of tools, or what it wrote for the model. */
  noteResults(frame: Json, { t, index }: Noted): Omit<Facts, 'type'> {
    for (const meta of listAt(frame, 'tool_result_meta')) this.#noteDecision(meta);
    const results = listAt(objectAt(frame, 'message'), 'content').filter((block) => block['type'] === 'tool_result');
    for (const block of results) {
      const call = this.#agent.calls.get(textAt(block, 'tool_use_id'));
      if (call !== undefined)
        call.result ??= { t, row: index, isError: block['is_error'] === true, content: block['content'] };
    }
    const [first] = results;
    if (first === undefined) return { kind: 'message' };
    const call = this.#agent.calls.get(textAt(first, 'tool_use_id'));
    return { kind: 'tool', tool: call?.name, call };
  }

  /** A message of the agent about itself, which may be about a call. */
  noteSystem(subtype: string, frame: Json, t: number): Omit<Facts, 'type'> {
    const named = this.#agent.calls.get(textAt(frame, 'tool_use_id'));
    if (subtype === 'permission_denied') {
      if (named !== undefined) named.decision ??= { isAllowed: false, by: 'the agent' };
      return { kind: 'tool', tool: textAt(frame, 'tool_name') || named?.name, call: named };
    }
    const call = subtype.startsWith('task_') ? (this.#tasks.get(textAt(frame, 'task_id')) ?? named) : undefined;
    if (call === undefined) return { kind: 'system' };
    this.#tasks.set(textAt(frame, 'task_id'), call);
    noteTask(call, subtype, frame, t);
    return { kind: 'tool', tool: call.name, call };
  }

  #noteDecision(meta: Json): void {
    const call = this.#agent.calls.get(textAt(meta, 'id'));
    const decision = objectAt(meta, 'permission_decision');
    if (call === undefined || decision['decision'] === undefined) return;
    call.decision = {
      isAllowed: decision['decision'] === 'accept',
      by: decidedBy(textAt(decision, 'source'), textAt(decision, 'reason_type')),
    };
  }
}

function noteTask(call: ToolCall, subtype: string, frame: Json, t: number): void {
  if (subtype === 'task_started')
    call.subagent ??= {
      type: textAt(frame, 'subagent_type') || textAt(frame, 'task_type') || 'task',
      description: textAt(frame, 'description'),
      t,
      status: 'running',
      to: undefined,
    };
  const status = textAt(frame, 'status') || textAt(objectAt(frame, 'patch'), 'status');
  if (call.subagent === undefined || status === '') return;
  call.subagent.status = status;
  if (status !== 'running') call.subagent.to ??= t;
}

/** What the agent reports of a decision, in words. */
function decidedBy(source: string, reason: string): string {
  if (source === 'hook' || reason === 'hook') return 'a hook';
  if (source.startsWith('user_')) return 'the program';
  if (reason === 'rule' || reason === 'subcommandResults') return 'a rule of the agent';
  if (reason === 'mode') return 'the permission mode';
  return source === 'config' ? 'the agent, without a question' : source || 'the agent';
}
