import { callbackPlaces } from './callback-places.ts';
import { passes, type Place } from './callback-runs.ts';
import { errorText } from './error-text.ts';
import { oddBehaviours, type OddBehaviour, type Situation } from './odd-behaviours.ts';

/** How long one run may take, on a busy machine. */
const boundMs = 10_000;

/** What went wrong with one behaviour in one place. */
interface Complaint {
  readonly place: string;
  readonly behaviour: string;
  /** `hang`, or what would have ended the program. */
  readonly what: string;
}

export interface CallbackAttack {
  readonly runs: number;
  /** Where the callback was never called: such a run proves nothing. */
  readonly unreached: readonly string[];
  readonly complaints: readonly Complaint[];
}

const nothing: Situation['conversation'] = {
  close: () => {},
  interrupt: () => {},
  send: () => {},
  request: () => {},
  abort: () => {},
};

/** Every behaviour in every place. To be run in a process of its own: what would end a program is listened to. */
export async function attackCallbacks(places: readonly Place[] = callbackPlaces): Promise<CallbackAttack> {
  const complaints: Complaint[] = [];
  let current = { place: '', behaviour: '' };
  const complain = (what: string): void => void complaints.push({ ...current, what });
  const unhandled = (error: unknown): void => complain(`unhandled rejection: ${errorText(error)}`);
  const uncaught = (error: unknown): void => complain(`uncaught exception: ${errorText(error)}`);
  process.on('unhandledRejection', unhandled);
  process.on('uncaughtException', uncaught);
  const unreached: string[] = [];
  let runs = 0;
  for (const place of places) {
    for (const behaviour of oddBehaviours) {
      if (place.skips?.(behaviour)) continue;
      current = { place: place.name, behaviour: behaviour.name };
      runs += 1;
      const outcome = await bounded(runOnce(place, behaviour));
      if (!outcome.reached) unreached.push(`${place.name}: ${behaviour.name}`);
      if (outcome.hangs) complain('hang');
      if (outcome.threw !== undefined) complain(`threw: ${outcome.threw}`);
      await passes(3);
    }
  }
  process.off('unhandledRejection', unhandled);
  process.off('uncaughtException', uncaught);
  return { runs, unreached, complaints };
}

interface Outcome {
  readonly reached: boolean;
  readonly hangs?: boolean;
  readonly threw?: string;
}

async function runOnce(place: Place, behaviour: OddBehaviour): Promise<Outcome> {
  const conversation = { current: nothing };
  let reach = (): void => {};
  let reached = false;
  let hasSent = false;
  const called = new Promise<void>((resolve) => (reach = resolve));
  const act = (signal?: AbortSignal): never => {
    reached = true;
    reach();
    const { current } = conversation;
    // Once: what is sent calls the callback again, and a conversation with itself has no end.
    const send = (text: string): unknown => (hasSent ? undefined : ((hasSent = true), current.send(text)));
    return behaviour.perform({ signal, conversation: { ...current, send } }) as never; // right or wrong
  };
  const isNull = place.hasNull === true && /^re(?:turns|solves with) null$/u.test(behaviour.name);
  const isEndless = isNull || behaviour.isEndless === true;
  try {
    await place.run({ act, conversation, called, isEndless });
  } catch (error) {
    return { reached, threw: errorText(error) };
  }
  return { reached };
}

async function bounded(run: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>(
    (resolve) => (timer = setTimeout(resolve, boundMs, { reached: true, hangs: true })),
  );
  try {
    return await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}
