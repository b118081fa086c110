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
import { agentFrames, linkedTransport, plainLaunch, seededRandom, type LinkedAgent } from '@hexagent/testing';

/** Deadlines never come by themselves here: what a test sees, it sees because it happened. */
export const stillClock: Clock = { now: () => 0, after: () => () => {} };

export interface SessionContext {
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
  context: SessionContext = {},
): Promise<Conversing> {
  const { conversation, agent } = await begin(options, context);
  answer(agent, await agent.next('initialize'));
  await conversation.ready;
  return { conversation, agent };
}

/** The same, before `initialize` is answered. */
export async function begin(
  options: Partial<ConversationOptions> = {},
  { clock = stillClock, observer, warn, through = (transport) => transport }: SessionContext = {},
): Promise<Conversing> {
  const { transport, agent } = linkedTransport();
  let count = 0;
  const ids = { request: () => `r${(count += 1)}`, uuid: () => `own-${(count += 1)}` };
  const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock, observer });
  const service = new ConversationService({ transport: through(transport), protocol, clock, ids, observer, warn });
  return { conversation: await service.open({ launch: plainLaunch(), ...options }), agent };
}

export function answer(agent: LinkedAgent, request: { readonly request_id?: string }, response: object = {}): void {
  agent.write(agentFrames.response(request, response));
}

export const { init, lifecycle, result, assistantText, wholeTurn } = agentFrames;

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const value of values) seen.push(value);
  return seen;
}

/** A short form of a message: enough to compare orders. */
export function brief(message: AgentMessage): string {
  if (message.type === 'assistant')
    return message.message.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('');
  return 'subtype' in message ? `${message.type}/${message.subtype}` : message.type;
}

/** Random whole numbers below a limit, the same ones for the same seed. */
export function randomBelow(seed: number): (limit: number) => number {
  const next = seededRandom(seed);
  return (limit) => Math.floor(next() * limit);
}
