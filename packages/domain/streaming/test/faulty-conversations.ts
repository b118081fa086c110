import { attempt, handled } from '@hexagent/async';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import {
  SdkError,
  type Connection,
  type Conversation,
  type ConversationOptions,
  type Frame,
  type OutboundFrame,
  type Turn,
  type TurnOutcome,
} from '@hexagent/ports';
import { ConversationService } from '@hexagent/streaming';
import {
  withFault,
  type ConversationsFixture,
  type ConversationsParts,
  type PlantedFault,
} from '@hexagent/testing/contracts';

export type Fault = PlantedFault<ConversationsFixture>;
type Fields = Readonly<Record<string, unknown>>;
export type Read = Frame & Fields;

/** What of conversations that keep every promise is replaced. */
interface Changes {
  readonly parts?: (given: ConversationsParts) => Partial<ConversationsParts>;
  readonly reads?: (frame: Read) => Frame;
  readonly writes?: (frame: OutboundFrame) => OutboundFrame;
  readonly connection?: (kept: Connection) => Partial<Connection>;
  readonly options?: (options: ConversationOptions) => Partial<ConversationOptions>;
  readonly conversation?: (kept: Conversation, options: ConversationOptions) => Partial<Conversation>;
  /** Of turns, sent ones and others. `result` and `received` are read only when they are asked for. */
  readonly turn?: (kept: Turn, conversation: Conversation) => Partial<Turn>;
}

const same = <T>(value: T): T => value;
const unchanged = (): object => ({});

/** `change` is called for each `Conversations`. */
export const faulty = (change: () => Changes): ConversationsFixture => ({
  createConversations(given) {
    const changes = change();
    const { reads = same, writes = same, connection = unchanged, options = unchanged } = changes;
    const { conversation = unchanged, turn = unchanged } = changes;
    const parts = { ...given, ...changes.parts?.(given) };
    const parser = withFault(wireParser, ({ parse, stringify }) => ({
      parse(line, suspect) {
        const frame = parse(line, suspect);
        return frame && reads(frame as Read);
      },
      stringify: (frame) => stringify(writes(frame)),
    }));
    const transport = withFault(parts.transport, (kept) => ({
      connect: async (...asked) => withFault(await kept.connect(...asked), connection),
    }));
    const kept = new ConversationService({ ...parts, transport, protocol: new JsonRpcProtocol({ parser, ...parts }) });
    const ofTurn = (made: Turn, of: Conversation): Turn => withFault(made, () => turn(made, of));
    return {
      async open(asked) {
        const opened = await kept.open({ ...asked, ...options(asked) });
        const spoilt = withFault(opened, () => conversation(opened, asked));
        return withFault(spoilt, () => ({
          send: (input) => ofTurn(spoilt.send(input), opened),
          get turns() {
            return passing(spoilt.turns, { change: (unsent) => ofTurn(unsent, opened) });
          },
        }));
      },
    };
  },
});

export const reads = (type: string, change: (frame: Read) => Fields): ConversationsFixture =>
  faulty(() => ({ reads: (frame) => (frame.type === type ? { ...frame, ...change(frame) } : frame) }));
export const options = (change: NonNullable<Changes['options']>): ConversationsFixture =>
  faulty(() => ({ options: change }));
export const talks = (change: NonNullable<Changes['conversation']>): ConversationsFixture =>
  faulty(() => ({ conversation: change }));
export const turns = (change: NonNullable<Changes['turn']>): ConversationsFixture => faulty(() => ({ turn: change }));

export const results = (change: (outcome: TurnOutcome) => TurnOutcome): ConversationsFixture =>
  turns((kept) => ({
    get result() {
      return handled(kept.result.then(change));
    },
  }));

/** Whose rejections are never unhandled. */
export const handles =
  <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) =>
  (...given: Given): Promise<T> =>
    handled(call(...given));

type Interrupt = Turn['interrupt'];

/** Changes how a turn is interrupted. */
export const interrupts = (
  change: (interrupt: Interrupt, turn: Turn, conversation: Conversation) => Interrupt,
): ConversationsFixture =>
  turns((kept, conversation) => {
    const interrupt = change(() => kept.interrupt(), kept, conversation);
    return { interrupt: () => handled(interrupt()) };
  });

/** Whether an error is ours and has this code. */
export const isOf =
  (code: string) =>
  (error: unknown): error is SdkError =>
    SdkError.is(error) && error.code === code;

/** Rejects with what the change makes of an error of this kind, and resolves with nothing where that is nothing. */
export function failing<T, E>(
  kept: Promise<T>,
  isMeant: (error: unknown) => error is E,
  change: (error: E) => Error | undefined = () => undefined,
): Promise<T> {
  return handled(
    kept.catch((error: unknown) => {
      if (!isMeant(error)) throw error;
      const changed = change(error);
      if (changed !== undefined) throw changed;
      return undefined as T;
    }),
  );
}
export const mute = ({ code }: SdkError): SdkError => new SdkError(code, 'It failed.');

interface Passing<T> {
  readonly keeps?: (value: T) => boolean;
  readonly change?: (value: T) => T;
  /** Ends without an error where it returns `true`. */
  readonly ends?: (error: unknown) => boolean;
  readonly fails?: (error: unknown) => unknown;
  readonly atEnd?: () => void;
}

/** The same values, changed. Begins when it is read. */
export function passing<T>(
  kept: AsyncIterable<T>,
  { keeps = () => true, change = same, ends = () => false, fails = same, atEnd = () => {} }: Passing<T>,
): AsyncIterableIterator<T> {
  let reader: AsyncIterator<T> | undefined;
  const step = async (): Promise<IteratorResult<T>> => {
    const asked = attempt(() => (reader ??= kept[Symbol.asyncIterator]()).next());
    const next = await asked.catch((error: unknown): IteratorResult<T> => {
      if (!ends(error)) throw fails(error);
      return { done: true, value: undefined };
    });
    if (next.done) return (atEnd(), next);
    return keeps(next.value) ? { done: false, value: change(next.value) } : await step();
  };
  return {
    next: () => handled(step()),
    return: async () =>
      (await (reader ??= kept[Symbol.asyncIterator]()).return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
