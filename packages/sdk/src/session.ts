import { callable, text } from '@hexagent/checks';
import type {
  AgentMessage,
  Conversation,
  ConversationEvent,
  EventsOptions,
  Exit,
  InitializeResult,
  InterruptOutcome,
  Ledger,
  PendingRequests,
  SessionMcpServers,
  Turn as TurnOfPort,
} from '@hexagent/ports';
import { handled, withHandledPromises } from '@hexagent/async';
import type { AnyServer } from '@hexagent/mcp-sdk-server';
import { toControls } from './control/controls.ts';
import type { SessionControls } from './control/session-controls.ts';
import type { SessionHistory } from './history/session-history.ts';
import type { Input } from './input/input.ts';
import type { SessionPolicy } from './session-policy.ts';
import type { OutputSchema, SendOptions } from './output/output-schema.ts';
import { TurnOutput } from './output/turn-output.ts';
import { toOutputTurn, type OutputTurn, type Turn } from './turn.ts';
import { eventsOptions, sendOptions, userInput } from './checks/input.ts';

/** The MCP servers of a session. */
export type SessionMcp = SessionMcpServers<AnyServer>;

/** The turn of a message, which may have a schema for itself. */
type SentTurnOf<SentTurn extends Turn, Schema extends OutputSchema> = [Schema] extends [never]
  ? SentTurn
  : OutputTurn<Schema>;

/** A conversation with one agent, from its start to its end. */
export interface Session<SentTurn extends Turn = Turn>
  extends SessionControls, SessionHistory<Session<SentTurn>>, AsyncDisposable {
  /** Names the session in observed events. Unique, made by the SDK, and the same from its start to its end. */
  readonly id: string;
  /**
   * The agent's id of the session, to be given as `resume` later: that of the options if they name one, else `undefined`
   * until the first turn begins. It is the agent's latest, which `/clear` changes.
   */
  readonly sessionId: string | undefined;
  /** The agent's answer to `initialize`. The first message does not wait for it. */
  readonly ready: Promise<InitializeResult>;
  /** Sends something and returns its turn at once. Messages keep their order; a turn that runs is not disturbed. */
  send<Schema extends OutputSchema = never>(input: Input, options?: SendOptions<Schema>): SentTurnOf<SentTurn, Schema>;
  /** Sends something and resolves with how its turn ended. The messages need not be read. */
  sendAndWait<Schema extends OutputSchema = never>(
    input: Input,
    options?: SendOptions<Schema>,
  ): SentTurnOf<SentTurn, Schema>['result'];
  /** Unsolicited turns: a background task reports with its own turn. */
  readonly turns: AsyncIterable<SentTurn>;
  /** What belongs to no turn. */
  readonly messages: AsyncIterable<AgentMessage>;
  /**
   * Everything that happens, in one order: the beginning, the messages and the end of each turn, when the agent is idle, how it ended. What
   * is unread pauses the agent. While it is read, turns, `turns` and `messages` keep nothing for late readers. With
   * `{ mayMiss: true }` it reads beside the program, and never slows the agent down.
   */
  events(options?: EventsOptions): AsyncIterableIterator<ConversationEvent>;
  /** What was spent since the session was opened, up to its last result: by model, and by type of subagent. */
  readonly ledger: Ledger;
  /** Stops what runs now. Resolves with the outcome, proven by the turn's own end. */
  interrupt(): Promise<InterruptOutcome>;
  /** Resolves when no turn, task or queued message is alive. */
  idle(): Promise<void>;
  /** Which tools the agent may use: rules and mode, as they stand and to be changed. */
  readonly permissions: SessionPolicy;
  /** Calls, questions and plans that wait for an answer; any part of the program may answer them by their ids. */
  readonly pending: PendingRequests;
  /** Its MCP servers: wait for them, ask them, change them. */
  readonly mcp: SessionMcp;
  /**
   * Lets everything finish, then ends the agent. Resolves when it and all it started have exited, or were left as `leftovers` allows.
   * It has no deadline: a callback that never returns keeps it waiting until `close()`, or until `signal` aborts.
   * @throws {SdkError} `AGENT_NOT_ENDED` when something of it could not be ended.
   */
  finish(): Promise<Exit>;
  /** Ends the agent now and resolves when it and all it started have exited. Never rejects. */
  close(): Promise<void>;
  /**
   * Ends the agent at once, for a program that is restarted: the turn that runs is left unfinished, and what waits for a person
   * is neither answered nor refused. The session continues both where it is resumed. Never rejects.
   */
  suspend(): Promise<void>;
  /** How the agent left. */
  readonly exited: Promise<Exit>;
}

interface PartsOfSession<SentTurn extends Turn> {
  readonly read: (turn: TurnOfPort) => SentTurn;
  /** Whether `read` gives outputs. */
  readonly hasOutput: boolean;
  readonly permissions: SessionPolicy;
  readonly asks: PendingRequests;
  readonly mcp: SessionMcp;
  readonly history: SessionHistory<Session<SentTurn>>;
}

export function toSession<SentTurn extends Turn>(
  conversation: Conversation,
  { read, hasOutput, permissions, asks, mcp, history }: PartsOfSession<SentTurn>,
): Session<SentTurn> {
  const send = sendTo(conversation, { read, hasOutput });
  return withHandledPromises<Session<SentTurn>>({
    id: conversation.id,
    get sessionId() {
      return conversation.sessionId;
    },
    get ledger() {
      return conversation.ledger;
    },
    permissions,
    mcp,
    pending: toPending(asks),
    ready: conversation.ready,
    exited: conversation.exited,
    // Reading begins with the loop: a session may be taken apart, and what is not read must not hold the agent up.
    turns: { [Symbol.asyncIterator]: () => turnsOf(conversation, read) },
    messages: { [Symbol.asyncIterator]: () => conversation.messages },
    events: (options) => conversation.events(eventsOptions(options ?? {}, 'options')),
    ...toControls(conversation),
    ...history,
    send: send as Session<SentTurn>['send'], // with the type of the schema, if there is one
    sendAndWait: async (input, options) => await send(input, options).result,
    interrupt: () => conversation.interrupt(),
    idle: () => conversation.idle(),
    finish: () => conversation.finish(),
    close: () => conversation.close(),
    suspend: () => conversation.suspend(),
    [Symbol.asyncDispose]: () => conversation.close(),
  });
}

type Sending<SentTurn extends Turn> = Pick<PartsOfSession<SentTurn>, 'read' | 'hasOutput'>;

function sendTo<SentTurn extends Turn>(conversation: Conversation, { read, hasOutput }: Sending<SentTurn>) {
  return (input: Input, options: SendOptions<OutputSchema> = {}): SentTurn | OutputTurn => {
    const message = userInput(input, 'input');
    const { output: schema, repair = false } = sendOptions(options, 'options');
    if (schema === undefined && repair) throw new TypeError('`options.repair` needs `options.output`, the schema.');
    if (schema === undefined) return read(conversation.send(message));
    if (hasOutput)
      throw new TypeError(
        '`options.output` cannot be given to send() in a session with the option `output`: the agent takes one schema, at its start.',
      );
    const output = new TurnOutput(schema, repair ? (problem) => conversation.send(problem) : undefined);
    const turn = conversation.send(output.askFor(message));
    return Object.assign(toOutputTurn(turn, output), { interrupt: () => output.interrupt(turn) });
  };
}

function turnsOf<SentTurn>({ turns }: Conversation, read: (turn: TurnOfPort) => SentTurn): AsyncIterator<SentTurn> {
  const source = turns[Symbol.asyncIterator]();
  return {
    next: () =>
      handled(source.next().then((next) => (next.done === true ? next : { done: false, value: read(next.value) }))),
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
}

function toPending(asks: PendingRequests): PendingRequests {
  return {
    list: () => asks.list(),
    get: (id) => asks.get(text()(id, 'id')),
    answer: (id, answer) => asks.answer(text()(id, 'id'), answer),
    onChange: (listener) => asks.onChange?.(callable<() => void>()(listener, 'listener')) ?? (() => {}),
  };
}
