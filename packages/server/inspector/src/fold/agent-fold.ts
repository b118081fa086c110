import { answerOf, askOf, kindOfAsk } from './asks.ts';
import { listAt, numberAt, objectAt, textAt, type Json } from './entry.ts';
import type { Agent, Ask, Request, RowKind, ToolCall } from './run.ts';
import { CallFold } from './call-fold.ts';
import type { Facts, Noted } from './facts.ts';
import { TurnFold } from './turn-fold.ts';

/** What the lines of one agent add up to. */
export class AgentFold {
  readonly agent: Agent;
  readonly #calls: CallFold;
  readonly #turns: TurnFold;

  constructor({ number, from, firstRow }: Pick<Agent, 'firstRow' | 'from' | 'number'>) {
    this.agent = {
      number,
      from,
      firstRow,
      sessionId: undefined,
      model: undefined,
      version: undefined,
      turns: [],
      calls: new Map(),
      asks: new Map(),
      requests: new Map(),
      pausedSince: undefined,
      pausedFor: 0,
      pauses: 0,
      rows: 0,
      exit: undefined,
      hasFailed: false,
      to: undefined,
    };
    this.#calls = new CallFold(this.agent);
    this.#turns = new TurnFold(this.agent.turns);
  }

  get turn(): number {
    return this.agent.turns.length;
  }

  /** An entry that is not a frame: the process, what the program did with it, a line that is not JSON. */
  noteMark({ entry, t, direction }: Noted): Facts {
    const name = Object.keys(entry).find((key) => !['t', 'agent', 'redacted'].includes(key)) ?? 'unknown';
    if (name === 'pause' && this.agent.pausedSince === undefined) {
      this.agent.pausedSince = t;
      this.agent.pauses += 1;
    } else if (name === 'resume' || name === 'exit') this.#readsAgain(t);
    if (name === 'exit' || name === 'failed') this.#left(name, objectAt(entry, name), t);
    return { kind: 'process', type: direction === 'mark' ? name : 'not a frame' };
  }

  noteFrame(frame: Json, noted: Noted): Facts {
    const parent = textAt(frame, 'parent_tool_use_id') || undefined;
    const facts = noted.direction === 'out' ? this.#noteSent(frame, noted) : this.#noteReceived(frame, noted, parent);
    return { parent, ...facts };
  }

  #noteSent(frame: Json, noted: Noted): Facts {
    const type = textAt(frame, 'type');
    if (type === 'user') {
      this.#turns.noteMessage(frame, noted);
      return { kind: 'message', type };
    }
    if (type === 'control_request') return this.#noteRequest(frame, noted);
    if (type === 'control_response') return this.#noteAnswer(objectAt(frame, 'response'), noted);
    return { kind: 'system', type: type || 'unknown' };
  }

  #noteReceived(frame: Json, noted: Noted, parent: string | undefined): Facts {
    const type = textAt(frame, 'type');
    if (parent === undefined && startsTurn(type, frame)) this.#turns.start(noted);
    switch (type) {
      case 'assistant':
        return { type, ...this.#noteAssistant(frame, noted, parent) };
      case 'user':
        return { type, ...this.#calls.noteResults(frame, noted) };
      case 'stream_event':
        return { kind: 'piece', type: textAt(objectAt(frame, 'event'), 'type') || type };
      case 'result':
        this.#turns.end(frame, noted.t);
        return { kind: 'message', type };
      case 'system':
        return this.#noteSystem(frame, noted);
      case 'command_lifecycle':
        this.#turns.noteLifecycle(frame);
        return { kind: 'system', type };
      case 'tool_progress':
        return { kind: 'tool', type, tool: textAt(frame, 'tool_name') };
      case 'control_request':
        return this.#noteAsk(frame, noted);
      case 'control_cancel_request':
        return this.#noteWithdrawal(frame, noted);
      case 'control_response':
        return this.#noteAnswered(objectAt(frame, 'response'), noted);
      default:
        return { kind: 'system', type: type || 'unknown' };
    }
  }

  #noteAssistant(frame: Json, noted: Noted, parent: string | undefined): Omit<Facts, 'type'> {
    const message = objectAt(frame, 'message');
    const model = textAt(message, 'model');
    if (parent === undefined && model !== '' && !model.startsWith('<')) this.agent.model = model;
    const uses = listAt(message, 'content').filter((block) => block['type'] === 'tool_use');
    const calls = uses.map((block) => this.#calls.open(block, { noted, turn: this.turn, parent }));
    const turn = this.agent.turns.at(-1);
    if (turn !== undefined) turn.calls += calls.length;
    return calls[0] === undefined ? { kind: 'message' } : { kind: 'tool', tool: calls[0].name, call: calls[0] };
  }

  #noteSystem(frame: Json, { t }: Noted): Facts {
    const subtype = textAt(frame, 'subtype');
    if (subtype === 'init') {
      this.agent.sessionId = textAt(frame, 'session_id') || this.agent.sessionId;
      this.agent.model = textAt(frame, 'model') || this.agent.model;
      this.agent.version = textAt(frame, 'claude_code_version') || this.agent.version;
    }
    return { type: `system/${subtype}`, ...this.#calls.noteSystem(subtype, frame, t) };
  }

  /** What the agent asks the program. */
  #noteAsk(frame: Json, { t, index }: Noted): Facts {
    const request = objectAt(frame, 'request');
    const subtype = textAt(request, 'subtype');
    const ask = askOf(request, { id: textAt(frame, 'request_id'), t, row: index, turn: this.turn });
    if (ask === undefined) return { kind: kindOfAsk(subtype), type: subtype || 'unknown request' };
    this.agent.asks.set(ask.id, ask);
    const call = ask.call === undefined ? undefined : this.agent.calls.get(ask.call);
    call?.asks.push(ask);
    return { kind: kindOfAsk(subtype), type: subtype, tool: this.#toolOf(ask, request, call), ask, call };
  }

  #toolOf({ kind, subject }: Ask, request: Json, call: ToolCall | undefined): string | undefined {
    if (call !== undefined) return call.name;
    if (kind === 'hook') return textAt(objectAt(request, 'input'), 'tool_name') || undefined;
    return ['permission', 'question', 'plan'].includes(kind) ? subject : undefined;
  }

  #noteAnswer(response: Json, { t, index }: Noted): Facts {
    const ask = this.agent.asks.get(textAt(response, 'request_id'));
    if (ask === undefined) return { kind: 'ask', type: 'answer' };
    ask.answer ??= answerOf(ask, response, { t, row: index });
    return this.#partOf(ask, 'answer');
  }

  #noteWithdrawal(frame: Json, { t, index }: Noted): Facts {
    const ask = this.agent.asks.get(textAt(frame, 'request_id'));
    if (ask === undefined) return { kind: 'ask', type: 'control_cancel_request' };
    ask.answer ??= { t, row: index, by: 'the agent', outcome: 'withdrawn', reason: undefined };
    return this.#partOf(ask, 'withdrawn');
  }

  #partOf(ask: Ask, type: string): Facts {
    const call = this.agent.calls.get(ask.call ?? '');
    return { kind: rowKindOf(ask), type, tool: call?.name, ask, call };
  }

  #noteRequest(frame: Json, { t, index }: Noted): Facts {
    const id = textAt(frame, 'request_id');
    const subtype = textAt(objectAt(frame, 'request'), 'subtype') || 'unknown request';
    const request: Request = { id, subtype, t, row: index, answer: undefined };
    this.agent.requests.set(id, request);
    return { kind: 'request', type: subtype, request };
  }

  #noteAnswered(response: Json, { t, index }: Noted): Facts {
    const request = this.agent.requests.get(textAt(response, 'request_id'));
    if (request === undefined) return { kind: 'request', type: 'answer' };
    const hasFailed = response['subtype'] === 'error';
    request.answer ??= { t, row: index, error: hasFailed ? textAt(response, 'error') : undefined };
    if (request.subtype === 'initialize') {
      const answer = objectAt(response, 'response');
      this.agent.version = textAt(answer, 'claude_code_version') || this.agent.version;
    }
    return { kind: 'request', type: 'answer', request };
  }

  #readsAgain(t: number): void {
    if (this.agent.pausedSince === undefined) return;
    this.agent.pausedFor += t - this.agent.pausedSince;
    this.agent.pausedSince = undefined;
  }

  #left(name: 'exit' | 'failed', how: Json, t: number): void {
    const { agent } = this;
    agent.to = t;
    agent.exit = name === 'failed' ? `could not be started: ${textAt(how, 'message')}` : describeExit(how);
    agent.hasFailed = name === 'failed' || numberAt(how, 'code') !== 0 || isKilled(how);
    this.#turns.abandon(t);
  }
}

const isKilled = (exit: Json): boolean => typeof exit['signal'] === 'string';

const describeExit = (exit: Json): string =>
  isKilled(exit) ? `ended by ${textAt(exit, 'signal')}` : `exited with ${JSON.stringify(exit['code'] ?? null)}`;

/** A frame of the conversation itself, and not of a subagent that works beside it. */
function startsTurn(type: string, frame: Json): boolean {
  return ['assistant', 'stream_event', 'result'].includes(type) || (type === 'system' && frame['subtype'] === 'init');
}

function rowKindOf({ kind }: Ask): RowKind {
  if (kind === 'hook') return 'hook';
  return kind === 'tool' ? 'server' : 'ask';
}
