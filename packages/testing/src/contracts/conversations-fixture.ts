import { assert } from './assert.ts';
import type {
  AgentMessage,
  Clock,
  Conversation,
  ConversationOptions,
  Conversations,
  Ids,
  ObservedEvent,
  Observer,
  Transport,
  Turn,
  UserInput,
  Warning,
  WarningListener,
} from '@hexagent/ports';
import { agentFrames } from '../doubles/agent-frames.ts';
import { CountedIds } from '../doubles/counted-ids.ts';
import { HandClock } from '../doubles/hand-clock.ts';
import type { LinkedAgent } from '../doubles/linked-agent.ts';
import { linkedTransport } from '../doubles/linked-transport.ts';
import { answering } from '../doubles/answering.ts';
import { plainLaunch } from '../doubles/wire.ts';

/** What the conversations of a fixture are made of. */
export interface ConversationsParts {
  /** Reaches an agent that the suite plays, over the wire of the CLI. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer?: Observer | undefined;
  readonly warn?: WarningListener | undefined;
}

/** How conversations are made. The protocol and the parser are the fixture's own. */
export interface ConversationsFixture {
  readonly createConversations: (parts: ConversationsParts) => Conversations;
}

/** What a suite promises: sentences and their proofs. */
export type ConversationsPromises = Readonly<Record<string, (fixture: ConversationsFixture) => Promise<void>>>;

/** An open conversation and the agent at its other end. */
export interface Conversing {
  readonly conversation: Conversation;
  readonly agent: LinkedAgent;
  readonly clock: HandClock;
  readonly warned: readonly Warning[];
  readonly observed: readonly ObservedEvent[];
}

/** What may differ from the suite's own parts. */
export interface FixtureOptions {
  /** Puts something between the conversation and its agent. */
  readonly through?: (transport: Transport) => Transport;
}

/** Opens a conversation; `initialize` is answered. */
export async function converse(
  fixture: ConversationsFixture,
  options: Partial<ConversationOptions> = {},
): Promise<Conversing> {
  const opened = await begin(fixture, options);
  opened.agent.write(agentFrames.response(await opened.agent.next('initialize')));
  await opened.conversation.ready;
  return opened;
}

/** The same, before `initialize` is answered. */
export async function begin(
  fixture: ConversationsFixture,
  options: Partial<ConversationOptions> = {},
  { through = (transport) => transport }: FixtureOptions = {},
): Promise<Conversing> {
  const { transport, agent } = linkedTransport();
  const clock = new HandClock();
  const warned: Warning[] = [];
  const observed: ObservedEvent[] = [];
  const conversations = fixture.createConversations({
    transport: through(transport),
    clock,
    ids: new CountedIds(),
    observer: { observe: (event) => observed.push(event) },
    warn: (warning) => warned.push(warning),
  });
  const conversation = await conversations.open({ launch: plainLaunch(), ...options });
  return { conversation, agent, clock, warned, observed };
}

/** The agent may ask something of the program. */
export const withCallbacks = (): Partial<ConversationOptions> => ({
  features: [answering({ can_use_tool: async () => ({ behavior: 'allow' }) })],
});

/** The agent asks whether a tool may run. */
export const permissionRequest: object = {
  type: 'control_request',
  request_id: 'asked',
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
};

/** A short form of a message: enough to compare orders. */
export function brief(message: AgentMessage): string {
  if (message.type === 'assistant')
    return message.message.content.map((block) => (block.type === 'text' ? block.text : block.type)).join('');
  return 'subtype' in message ? `${message.type}/${message.subtype}` : message.type;
}

/** The first unsolicited turn. */
export async function firstUnsent({ turns }: Conversation): Promise<Turn> {
  const step = await turns[Symbol.asyncIterator]().next();
  assert.ok(step.done !== true, 'There was no such turn.');
  return step.value;
}

/** How often the agent was asked to interrupt. */
export function interruptsOf({ received }: LinkedAgent): number {
  return received.filter(({ request }) => request?.subtype === 'interrupt').length;
}

/** Content that JSON cannot carry, as a program without types may pass it. */
export const unwritable: UserInput = { content: [{ type: 'text', text: 'x', count: 1n }] as never };
