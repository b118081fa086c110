import { ROOT_CONTEXT, trace, type Attributes, type Context, type Link, type Span } from '@opentelemetry/api';
import { isRecord } from '@hexagent/checks';
import type { ObservedFact, Spending, TurnOutcome, UserInput } from '@hexagent/ports';
import { Approvals } from './approvals.ts';
import { AgentTrace } from './agent-trace.ts';
import { messageText, partsOf } from './content.ts';
import { endingBy, endingOf, type Ending } from './ending.ts';
import type { Kit } from './kit.ts';
import { events, genAi, own } from './names.ts';
import { now } from './now.ts';
import { Subagents } from './subagents.ts';

/** Where a message was sent. */
export interface Sending {
  readonly parent: Context;
  readonly at: number;
  readonly input: string | UserInput;
}

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** The spans of one conversation: a fold over what an observer sees of it. */
export class ConversationTrace {
  readonly #kit: Kit;
  /** The context in which the conversation was opened. */
  readonly #openedIn: Context;
  readonly #turns = new Map<string, AgentTrace>();
  readonly #subagents: Subagents;
  readonly #approvals: Approvals;
  #running: AgentTrace | undefined;
  /** One outcome may end several turns; what it spent is counted once. */
  #counted: TurnOutcome | undefined;
  /** How a turn ended that this trace did not know: a message that is refused ends its turn while it is sent. */
  #refused: { readonly id: string; readonly outcome: TurnOutcome } | undefined;
  #hasEnded = false;

  constructor(kit: Kit, openedIn: Context) {
    this.#kit = kit;
    this.#openedIn = openedIn;
    this.#subagents = new Subagents(kit);
    this.#approvals = new Approvals(
      { spanOf: (call) => this.#spanOf(call), denied: (call) => this.#denied(call) },
      kit.instruments,
    );
    kit.instruments.agentStarted();
  }

  /** The program sent a message. */
  sent(turn: string, { parent, at, input }: Sending): void {
    const opening = trace.getSpanContext(this.#openedIn);
    const isElsewhere = opening !== undefined && opening.traceId !== trace.getSpanContext(parent)?.traceId;
    const started = this.#begin(turn, { parent, at, links: isElsewhere ? [{ context: opening }] : [] });
    if (this.#kit.capturesContent) {
      const content: unknown = typeof input === 'string' ? input : input.content;
      started.span.setAttribute(genAi.inputMessages, messageText('user', partsOf(content)));
    }
    if (this.#refused?.id === turn) this.#ended(turn, this.#refused.outcome);
    this.#refused = undefined;
  }

  observe(fact: ObservedFact): void {
    if (this.#hasEnded) return;
    if (fact.kind === 'received') this.#received(fact.frame as Message); // a frame is an object with a type, and nothing is known of the rest
    else if (fact.kind === 'sent') this.#answered(fact.frame);
    else if (fact.kind === 'turn_started') this.#started(fact.id);
    else if (fact.kind === 'turn_ended') this.#ended(fact.id, fact.outcome);
    else if (fact.kind === 'turn_failed') this.#cut(fact.id, endingBy(fact.error), 'cut');
    else if (fact.kind === 'callback_failed') this.#failed(fact.subtype, fact.error);
    else if (fact.kind === 'exited') this.end({ error: 'agent_exited' });
  }

  /** A request is shown to a person. */
  askedPerson(id: string): void {
    this.#approvals.askedPerson(id);
  }

  /** The context for a callback of the program: the call that it is about, else the turn that runs. */
  contextFor(call: unknown): Context {
    const tool = typeof call === 'string' ? this.#toolOf(call) : undefined;
    return tool?.context ?? this.#current?.context ?? this.#openedIn;
  }

  /** Ends whatever is open. What is observed after that is dropped. */
  end(ending: Ending): void {
    if (this.#hasEnded) return;
    const at = now();
    this.#approvals.end(at);
    this.#subagents.end(ending, at);
    for (const id of [...this.#turns.keys()]) this.#cut(id, ending, 'cut');
    this.#hasEnded = true;
    this.#kit.instruments.agentGone();
  }

  /** The turn that runs; before the agent has named it, the oldest that waits. */
  get #current(): AgentTrace | undefined {
    return this.#running ?? this.#turns.values().next().value;
  }

  #begin(
    id: string,
    { parent, at, links }: { readonly parent: Context; readonly at: number; readonly links: readonly Link[] },
    isUnsolicited = false,
  ): AgentTrace {
    const attributes = { [own.turn]: id, ...(isUnsolicited && { [own.unsolicited]: true }) };
    const agent = new AgentTrace(this.#kit, { name: this.#kit.agentName, parent, at, links, attributes });
    this.#turns.set(id, agent);
    return agent;
  }

  #started(id: string): void {
    const turn = this.#turns.get(id) ?? this.#beginUnsolicited(id);
    if (this.#running !== undefined && this.#running !== turn) {
      turn.span.setAttribute(own.within, true);
      turn.span.addLink({ context: this.#running.span.spanContext() });
      return;
    }
    const at = now();
    this.#running = turn;
    turn.span.setAttribute(own.queued, (at - turn.startedAt) / 1000);
    turn.requesting(at);
  }

  /** No call of the program began it: a trace of its own, with a link to where the conversation was opened. */
  #beginUnsolicited(id: string): AgentTrace {
    const opening = trace.getSpanContext(this.#openedIn);
    const links = opening === undefined ? [] : [{ context: opening }];
    return this.#begin(id, { parent: ROOT_CONTEXT, at: now(), links }, true);
  }

  #ended(id: string, outcome: TurnOutcome): void {
    const turn = this.#turns.get(id);
    if (turn === undefined) return void (this.#refused = { id, outcome });
    const at = now();
    const ending = endingOf(outcome);
    this.#release(id, turn, ending, at);
    const attributes = { [own.turn]: id, [own.outcome]: outcome.kind };
    if (outcome.kind === 'cancelled') return turn.end(ending, at, attributes);
    if (this.#kit.capturesContent)
      turn.span.setAttribute(genAi.outputMessages, messageText('assistant', partsOf(outcome.text), reasonOf(outcome)));
    if (this.#counted === outcome) return turn.end(ending, at, attributes);
    this.#counted = outcome;
    this.#kit.instruments.spent(outcome.models, { [genAi.provider]: this.#kit.provider });
    turn.end(ending, at, { ...attributes, ...spentIn(outcome) });
  }

  /** It will have no outcome. */
  #cut(id: string, ending: Ending, outcome: string): void {
    const turn = this.#turns.get(id);
    if (turn === undefined) return;
    const at = now();
    this.#release(id, turn, ending, at);
    turn.end(ending, at, { [own.turn]: id, [own.outcome]: outcome });
  }

  #release(id: string, turn: AgentTrace, ending: Ending, at: number): void {
    this.#approvals.end(at, new Set(turn.tools.keys()));
    this.#turns.delete(id);
    if (this.#running === turn) this.#running = undefined;
    this.#subagents.endOf(turn, ending, at);
  }

  #received(frame: Message): void {
    const { type } = frame;
    if (type === 'stream_event') return this.#streamed(frame);
    const { parent_tool_use_id: parent } = frame;
    if (type === 'assistant') this.#agentOf(parent)?.answered(frame, now());
    else if (type === 'user') this.#results(frame);
    else if (type === 'system') this.#system(frame);
    else if (type === 'control_request') this.#approvals.requested(frame['request_id'], frame['request'], now());
    else if (type === 'control_cancel_request') this.#approvals.withdrawn(frame['request_id'], now());
    // What follows belongs to the next turn, also where the end of this one is delivered late.
    else if (type === 'result') this.#running = undefined;
  }

  /** Pieces are most of a stream, and none of them matters here. */
  #streamed(frame: Message): void {
    const { event } = frame;
    if (!isRecord(event)) return;
    const { type } = event;
    if (type === 'content_block_delta') return;
    if (type !== 'message_start' && type !== 'message_delta' && type !== 'message_stop') return;
    const { ttft_ms, parent_tool_use_id: parent } = frame;
    this.#agentOf(parent)?.streamed(event, { ttft_ms }, now());
  }

  #results({ message, parent_tool_use_id: parent }: Message): void {
    const content: unknown = isRecord(message) ? message['content'] : undefined;
    if (!Array.isArray(content)) return;
    for (const block of content) {
      if (!isRecord(block) || block['type'] !== 'tool_result' || typeof block['tool_use_id'] !== 'string') continue;
      const { tool_use_id: call } = block;
      const at = now();
      this.#subagents.returned(call, block['is_error'] === true, at);
      this.#agentOf(parent)?.toolReturned(call, { content: block['content'], isError: block['is_error'] === true }, at);
    }
  }

  #system(frame: Message): void {
    const { subtype } = frame;
    const { agent } = this.#kit;
    if (subtype === 'init') {
      agent.model = textOf(frame['model']) ?? agent.model;
      agent.version = textOf(frame['claude_code_version']) ?? agent.version;
      agent.sessionId = textOf(frame['session_id']) ?? agent.sessionId;
    } else if (subtype === 'status' && frame['status'] === 'requesting') this.#running?.requesting(now());
    else if (subtype === 'task_started') this.#subagents.started(frame, this.#parentOf(frame['tool_use_id']), now());
    else if (subtype === 'task_updated') this.#subagents.updated(frame);
    else if (subtype === 'task_notification') this.#subagents.notified(frame, now());
    else if (subtype === 'permission_denied') this.#approvals.deniedByAgent(frame);
    else if (subtype === 'api_retry') this.#retried(frame);
  }

  #retried({ attempt, retry_delay_ms: delay, error_status: status }: Message): void {
    this.#current?.span.addEvent(events.retry, {
      ...(typeof attempt === 'number' && { [own.attempt]: attempt }),
      ...(typeof delay === 'number' && { [own.delay]: delay / 1000 }),
      ...(typeof status === 'number' && { [own.status]: status }),
    });
  }

  #answered(frame: { readonly type: string }): void {
    if (frame.type === 'control_response' && 'response' in frame) this.#approvals.answered(frame.response, now());
  }

  #failed(callback: string, error: unknown): void {
    const { error: type = '_OTHER' } = endingBy(error);
    this.#current?.span.addEvent(events.callbackFailed, { [own.source]: callback, 'error.type': type });
  }

  /** The agent that a frame is of: the turn's, or a subagent, named by the call that started it. */
  #agentOf(parent: unknown): AgentTrace | undefined {
    if (typeof parent !== 'string') return this.#current;
    return this.#subagents.get(parent) ?? this.#subagents.begin(parent, this.#parentOf(parent), now());
  }

  /** The call that starts a subagent. */
  #parentOf(call: unknown): { readonly context: Context; readonly input: unknown } | undefined {
    const tool = typeof call === 'string' ? this.#toolOf(call) : undefined;
    return tool && { context: tool.context, input: tool.input };
  }

  #toolOf(call: string) {
    return this.#current?.tools.get(call) ?? this.#subagents.toolOf(call);
  }

  #spanOf(call: string | undefined): Span | undefined {
    const tool = call === undefined ? undefined : this.#toolOf(call);
    return tool?.span ?? this.#current?.span;
  }

  #denied(call: string | undefined): void {
    const tool = call === undefined ? undefined : this.#toolOf(call);
    if (tool !== undefined) tool.denied = { error: 'denied' };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

type Reported = Exclude<TurnOutcome, { readonly kind: 'cancelled' }>;

function reasonOf({ result }: Reported): string | undefined {
  return textOf(result?.stop_reason);
}

/** What a turn spent, that of its subagents included. */
function spentIn({ models, cost, cacheHitRatio }: Reported): Attributes {
  const all = Object.values(models);
  const sum = (read: (spending: Spending) => number): number => all.reduce((total, each) => total + read(each), 0);
  const read = sum(({ cacheReadTokens }) => cacheReadTokens);
  const written = sum(({ cacheWriteTokens }) => cacheWriteTokens);
  return {
    [genAi.inputTokens]: sum(({ inputTokens }) => inputTokens) + read + written,
    [genAi.cacheReadTokens]: read,
    [genAi.cacheWriteTokens]: written,
    [genAi.outputTokens]: sum(({ outputTokens }) => outputTokens),
    [own.cost]: cost,
    ...(cacheHitRatio !== undefined && { [own.cacheHitRatio]: cacheHitRatio }),
  };
}
