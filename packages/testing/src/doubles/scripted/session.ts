import type { Launch } from '@hexagent/ports';
import type { AgentSide, ReceivedFrame } from '../wire.ts';
import { initFields, model } from './facts.ts';

/** Tokens of one answer of the model, as the recordings' model counted them: 0.00014 dollars each. */
const tokensIn = 10;
const tokensOut = 5;
const dollarsIn = 4;
const dollarsOut = 20;

/** Writes the frames of one session: their ids, their running totals, their order. */
export class Session {
  readonly id: string;
  readonly launch: Launch;
  permissionMode: string;
  model: string = model;
  /** The field `mcp_servers` of init. */
  servers: { readonly name: string; readonly status: string; readonly source: string }[] = [];
  readonly #agent: AgentSide;
  readonly #stateFrames: boolean;
  #uuids = 0;
  #messages = 0;
  #tools = 0;
  #results = 0;
  #answers = 0;
  #totalAnswers = 0;

  constructor(agent: AgentSide, { id, launch, stateFrames }: { id: string; launch: Launch; stateFrames: boolean }) {
    this.#agent = agent;
    this.id = id;
    this.launch = launch;
    this.permissionMode = modeOf(launch);
    this.#stateFrames = stateFrames;
  }

  uuid(): string {
    this.#uuids += 1;
    return `00000000-0000-4000-8000-${String(this.#uuids).padStart(12, '0')}`;
  }

  messageId(): string {
    this.#messages += 1;
    return `msg_scripted_${this.#messages}`;
  }

  toolId(): string {
    this.#tools += 1;
    return `toolu_scripted_${this.#tools}`;
  }

  /** Unchanged frames. */
  raw(...frames: readonly object[]): void {
    this.#agent.write(...frames);
  }

  /** A frame of this session, with a uuid of its own unless it brings one. */
  write(frame: { readonly uuid?: string | undefined; readonly [field: string]: unknown }): void {
    const { uuid = this.uuid() } = frame;
    this.#agent.write({ ...frame, uuid, session_id: this.id });
  }

  system(subtype: string, fields: object): void {
    this.write({ type: 'system', subtype, ...fields });
  }

  state(state: 'running' | 'requires_action' | 'idle'): void {
    if (this.#stateFrames) this.system('session_state_changed', { state, sdk_host_only: true });
  }

  lifecycle(message: ReceivedFrame, state: 'queued' | 'started' | 'completed' | 'cancelled'): void {
    if (message.uuid !== undefined) this.write({ type: 'command_lifecycle', command_uuid: message.uuid, state });
  }

  init(marks: object): void {
    const { cwd = '/work/project' } = this.launch;
    const { servers: mcp_servers, permissionMode } = this;
    this.system('init', { cwd, ...initFields, mcp_servers, model: this.model, permissionMode, ...marks });
  }

  status(fields: object): void {
    this.system('status', fields);
  }

  /** Reports that the model is asked, to a host that reads pieces of texts. */
  requesting(list: object): void {
    if (this.launch.args.includes('--include-partial-messages')) this.status({ status: 'requesting', ...list });
  }

  /** One block of an answer of the model. */
  assistant(messageId: string, block: object, fields: object = {}): void {
    const usage = {
      input_tokens: tokensIn,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    this.write({
      type: 'assistant',
      message: {
        id: messageId,
        type: 'message',
        role: 'assistant',
        model: this.model,
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
      parent_tool_use_id: null,
      timestamp: '2026-01-01T00:00:00.000Z',
      ...fields,
    });
  }

  /** A text that the CLI writes instead of the model. */
  synthetic(text: string, fields: object): void {
    const usage = { input_tokens: 0, output_tokens: 0 };
    const content = [{ type: 'text', text }];
    const message = {
      id: this.uuid(),
      type: 'message',
      role: 'assistant',
      model: '<synthetic>',
      content,
      stop_reason: 'stop_sequence',
      usage,
    };
    this.write({ type: 'assistant', message, parent_tool_use_id: null, ...fields });
  }

  user(content: readonly object[], fields: object = {}): void {
    this.write({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      timestamp: '2026-01-01T00:00:00.000Z',
      ...fields,
    });
  }

  /** Adds one answer of the model to the costs of the result. */
  countAnswer(): void {
    this.#answers += 1;
    this.#totalAnswers += 1;
  }

  /** `total_cost_usd` and `modelUsage` are running totals, `usage` is the turn's. Recording 43-resume-0-first-session. */
  result(fields: object): void {
    const spent = this.#answers;
    this.#answers = 0;
    this.write({
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 10,
      duration_api_ms: 5,
      num_turns: 1,
      stop_reason: 'end_turn',
      total_cost_usd: cost(this.#totalAnswers),
      usage: usageOf(spent),
      modelUsage: { [this.model]: modelUsageOf(this.#totalAnswers) },
      model_usage_since_last_result: { [this.model]: modelUsageOf(spent) },
      permission_denials: [],
      queued_turn_count: 0,
      result_index: this.#results,
      ...fields,
    });
    this.#results += 1;
  }
}

/** Recording 06-plan-mode-exit. */
function modeOf({ args }: Launch): string {
  const flag = '--permission-mode';
  const joined = args.find((arg): arg is string => typeof arg === 'string' && arg.startsWith(`${flag}=`));
  const next = args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
  return joined?.slice(flag.length + 1) ?? (typeof next === 'string' ? next : 'default');
}

function cost(answers: number): number {
  return (answers * (tokensIn * dollarsIn + tokensOut * dollarsOut)) / 1_000_000;
}

function usageOf(answers: number): object {
  return {
    input_tokens: answers * tokensIn,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: answers * tokensOut,
  };
}

function modelUsageOf(answers: number): object {
  return {
    inputTokens: answers * tokensIn,
    outputTokens: answers * tokensOut,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    webSearchRequests: 0,
    costUSD: cost(answers),
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
  };
}
