import { oddThenables, returnedValues, thrownValues, type OddValue } from './odd-values.ts';

/** What a callback finds when it is called. */
export interface Situation {
  /** The signal it was given, if any. */
  readonly signal?: AbortSignal | undefined;
  /** The conversation it is called from. */
  readonly conversation: {
    close(): unknown;
    interrupt(): unknown;
    send(text: string): unknown;
    request(): unknown;
    abort(): void;
  };
}

/** Called in the place of a callback: does what the behaviour says. */
export type Act = (signal?: AbortSignal) => never;

/** Something that a callback does, right or wrong. */
export interface OddBehaviour {
  readonly name: string;
  readonly perform: (situation: Situation) => unknown;
  /** A caller that waits for it waits until the conversation is ended. */
  readonly isEndless?: boolean;
}

const later = (run: () => unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(run());
      } catch (error) {
        reject(error);
      }
    });
  });

const named = (
  values: Readonly<Record<string, OddValue>>,
  verb: string,
  act: (make: OddValue) => unknown,
): readonly OddBehaviour[] =>
  Object.entries(values).map(([name, make]) => ({ name: `${verb} ${name}`, perform: () => act(make) }));

const throws = (make: OddValue): never => {
  throw make();
};

/** What it does with its signal. */
const withSignal: readonly OddBehaviour[] = [
  { name: 'reads the reason of its signal', perform: ({ signal }) => signal?.reason },
  { name: 'asks its signal to throw', perform: ({ signal }) => signal?.throwIfAborted() },
  {
    name: 'waits for its signal and rejects with its reason',
    perform: ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    isEndless: true,
  },
  {
    name: 'rejects long after its signal aborted',
    perform: ({ signal }) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => setImmediate(() => reject(new Error('too late')))),
      ),
    isEndless: true,
  },
];

/** What it does to the conversation that it is called from. */
const withConversation: readonly OddBehaviour[] = [
  { name: 'closes the conversation', perform: ({ conversation }) => void conversation.close() },
  { name: 'waits for the conversation to be closed', perform: ({ conversation }) => conversation.close() },
  { name: 'aborts the conversation', perform: ({ conversation }) => conversation.abort() },
  {
    name: 'aborts the conversation and throws',
    perform: ({ conversation }) => {
      conversation.abort();
      throw new Error('after the abort');
    },
  },
  { name: 'interrupts the turn', perform: ({ conversation }) => void conversation.interrupt() },
  { name: 'waits for its own interrupt', perform: ({ conversation }) => conversation.interrupt() },
  { name: 'says something else', perform: ({ conversation }) => void conversation.send('more') },
  { name: 'asks the agent and does not wait', perform: ({ conversation }) => void conversation.request() },
  { name: 'asks the agent and waits', perform: ({ conversation }) => conversation.request() },
  {
    name: 'closes twice and interrupts',
    perform: ({ conversation }) => {
      conversation.close();
      conversation.close();
      conversation.interrupt();
      return { behavior: 'allow' };
    },
  },
];

/** Everything a callback may do, as one list: for any callback of either face. */
export const oddBehaviours: readonly OddBehaviour[] = [
  ...named(thrownValues, 'throws', throws),
  ...named(thrownValues, 'rejects with', (make) => Promise.reject(make())),
  ...named(thrownValues, 'rejects later with', (make) => later(() => throws(make))),
  ...named(returnedValues, 'returns', (make) => make()),
  ...named(returnedValues, 'resolves with', (make) => Promise.resolve().then(make)),
  ...Object.entries(oddThenables).map(([name, { make, isEndless = false }]) => ({
    name: `returns ${name}`,
    perform: () => make(),
    isEndless,
  })),
  ...withSignal,
  ...withConversation,
];
