import type { OddBehaviour, Act, Situation } from './odd-behaviours.ts';

/** One run of one behaviour in one place. */
export interface Run {
  readonly act: Act;
  /** What was started, so that the behaviour can call it and the run can end it. */
  readonly conversation: { current: Situation['conversation'] };
  /** Settles when the place was reached. */
  readonly called: Promise<void>;
  /** Waiting for the behaviour may take for ever: the conversation is ended after a while. */
  readonly isEndless: boolean;
}

/** A callback of one of the faces. */
export interface Place {
  readonly name: string;
  /** Resolves when everything that was started has settled. */
  readonly run: (run: Run) => Promise<void>;
  /** Answering `null` here means that someone else answers. */
  readonly hasNull?: boolean;
  /** A behaviour that makes no sense here, such as one that needs a conversation before there is one. */
  readonly skips?: (behaviour: OddBehaviour) => boolean;
}

/** The event loop turns often enough for everything that needs no time to happen. */
export async function passes(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
}

export const settled = (promise: Promise<unknown>): Promise<void> =>
  promise.then(
    () => {},
    () => {},
  );

/** Ends the conversation in time where nothing else would. */
export async function ends(run: Run, done: Promise<unknown>, close: () => unknown): Promise<void> {
  if (run.isEndless) {
    await Promise.race([settled(done), run.called]);
    await passes();
    await close();
  }
  await settled(done);
}
