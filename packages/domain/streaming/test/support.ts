import type {
  AgentMessage,
  Clock,
  Conversation,
  ConversationOptions,
  Observer,
  Transport,
  WarningListener,
} from '@hexagent/ports';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { ConversationService } from '@hexagent/streaming';
import { linkedTransport, plainLaunch, type LinkedAgent } from '@hexagent/testing';

/** Deadlines never come by themselves here: what a test sees, it sees because it happened. */
export const stillClock: Clock = { now: () => 0, after: () => () => {} };

export interface Surroundings {
  readonly clock?: Clock;
  readonly observer?: Observer;
  readonly warn?: WarningListener;
  /** Puts something between the conversation and its agent. */
  readonly through?: (transport: Transport) => Transport;
}

export interface Conversing {
  readonly conversation: Conversation;
  readonly agent: LinkedAgent;
}

/** A conversation whose agent is played by the test; `initialize` is answered. */
export async function converse(
  options: Partial<ConversationOptions> = {},
  surroundings: Surroundings = {},
): Promise<Conversing> {
  const { conversation, agent } = await begin(options, surroundings);
  answer(agent, await agent.next('initialize'));
  await conversation.ready;
  return { conversation, agent };
}

/** The same, before `initialize` is answered. */
export async function begin(
  options: Partial<ConversationOptions> = {},
  { clock = stillClock, observer, warn, through = (transport) => transport }: Surroundings = {},
): Promise<Conversing> {
  const { transport, agent } = linkedTransport();
  let count = 0;
  const ids = { request: () => `r${(count += 1)}`, uuid: () => `own-${(count += 1)}` };
  const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock, observer });
  const service = new ConversationService({ transport: through(transport), protocol, clock, ids, observer, warn });
  return { conversation: await service.open({ launch: plainLaunch(), ...options }), agent };
}

export function answer(agent: LinkedAgent, request: { readonly request_id?: string }, response: object = {}): void {
  agent.write({ type: 'control_response', response: { subtype: 'success', request_id: request.request_id, response } });
}

const session = { uuid: 'frame', session_id: 's' };
const usage = { input_tokens: 1, output_tokens: 1 };

export const state = (value: 'running' | 'idle' | 'requires_action'): object => ({
  type: 'system',
  subtype: 'session_state_changed',
  state: value,
  sdk_host_only: true,
  ...session,
});
export const lifecycle = (command_uuid: string, value: string): object => ({
  type: 'command_lifecycle',
  command_uuid,
  state: value,
  ...session,
});
export const init = (...user_message_uuids: string[]): object => ({
  type: 'system',
  subtype: 'init',
  ...session,
  ...(user_message_uuids.length > 0 && { user_message_uuids }),
});
export const tasks = (...list: { task_id: string; task_type: string }[]): object => ({
  type: 'system',
  subtype: 'background_tasks_changed',
  tasks: list.map((task) => ({ description: '', ...task })),
  ...session,
});

export const says = (text: string): object => ({
  type: 'assistant',
  message: { id: 'm', role: 'assistant', model: 'test', content: [{ type: 'text', text }], stop_reason: null, usage },
  parent_tool_use_id: null,
  ...session,
});

export const result = (fields: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  stop_reason: 'end_turn',
  terminal_reason: 'completed',
  total_cost_usd: 0,
  usage,
  modelUsage: {},
  permission_denials: [],
  ...session,
  ...fields,
});

/** What the agent writes for one whole turn, as recorded (22-streaming-multi-turn-queue-priority). */
export const wholeTurn = (uuid: string, text: string, fields: object = {}): object[] => [
  state('running'),
  lifecycle(uuid, 'queued'),
  lifecycle(uuid, 'started'),
  init(uuid),
  says(text),
  result({ result: text, user_message_uuids: [uuid], ...fields }),
  lifecycle(uuid, 'completed'),
  state('idle'),
];

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const value of values) seen.push(value);
  return seen;
}

/** What a message says, short: enough to compare orders. */
export function brief(message: AgentMessage): string {
  if (message.type === 'assistant')
    return message.message.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('');
  return 'subtype' in message ? `${message.type}/${message.subtype}` : message.type;
}

/** A small generator of chance that can be repeated: mulberry32. */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
