import { anyText, callable, oneOf, record, type Check } from '@hexagent/checks';
import type { ConversationEvent, Observer, Transport } from '@hexagent/ports';
import { checkScenario } from './check-scenario.ts';
import { places, type Depth } from './places.ts';
import { Recorder, type Seen } from './recorder.ts';
import type { Scenario, ScenarioTurn } from './scenario.ts';

/** What a scenario uses of a session; that of the facade fits. */
export interface ScenarioSession {
  readonly sessionId: string | undefined;
  send(input: string): { readonly result: Promise<unknown> };
  events(): AsyncIterable<ConversationEvent>;
  finish(): Promise<unknown>;
  close(): Promise<void>;
}

/** `createSdk` of the facade fits. */
export type MakeSdk<Session extends ScenarioSession> = (parts: {
  readonly observer: Observer;
  readonly transport?: Transport | undefined;
}) => { openSession(options: object): Promise<Session> };

export interface PlayOptions<Session extends ScenarioSession> {
  readonly depth: Depth;
  readonly createSdk: MakeSdk<Session>;
  /** Where the real CLI is searched for: `import.meta.url`. */
  readonly from?: string | undefined;
  /** Changes the path of the real CLI, or of the scripted one, to what runs it elsewhere, such as `ssh()` of the facade. */
  readonly elsewhere?: ((executable: string) => unknown) | undefined;
}

const checkOptions: Check<PlayOptions<ScenarioSession>> = record<PlayOptions<ScenarioSession>>(
  { depth: oneOf('memory', 'process', 'cli'), createSdk: callable(), from: anyText, elsewhere: callable() },
  { required: ['depth', 'createSdk'], called: 'options' },
);

/**
 * Has the conversation of a scenario with an agent of this depth, and returns what was seen of it.
 * @throws {TypeError} for what cannot be in a scenario, before anything starts.
 * @throws {Error} for a text that it does not show, and where the host is asked more or less often than it decides.
 */
export async function playScenario<Session extends ScenarioSession>(
  scenario: Scenario<object, Session>,
  given: PlayOptions<Session>,
): Promise<Seen> {
  checkScenario(scenario, '');
  checkOptions(given, '');
  const { depth, createSdk, from = import.meta.url, elsewhere } = given;
  const { turns, continues, env, program = sendAll } = scenario;
  const recorder = new Recorder();
  const own = typeof scenario.options === 'function' ? scenario.options() : scenario.options;
  const decisions = decisionsOf(scenario.decides ?? []);
  const place = await places[depth]({ sessions: continues ? [turns, continues.turns] : [turns], env, from });
  const converse = async (number: number, more: object, told: readonly ScenarioTurn[]): Promise<string | undefined> => {
    const { transport, ...there } = place.options[number] ?? {};
    const options = { ...there, ...(elsewhere && there.executable && { executable: elsewhere(there.executable) }) };
    const sdk = createSdk({ observer: recorder, ...(transport && { transport }) });
    const session = await sdk.openSession({ ...options, ...decisions.options, ...own, ...more });
    const reading = recorder.read(session.events());
    try {
      const says = told.map((turn) => turn.says);
      await (number === 0 ? program : sendAll)({ session, says, until: (text) => recorder.until(text) });
      await session.finish();
    } finally {
      await session.close();
      await reading;
    }
    return session.sessionId;
  };
  try {
    const id = await converse(0, {}, turns);
    if (continues !== undefined) await converse(1, continuing(continues.how, id), continues.turns);
    decisions.verify();
    const seen = recorder.seen(place.names, scenario.departs);
    checkShown(scenario.shows, seen);
    return seen;
  } finally {
    await place.close();
  }
}

function checkShown(shows: readonly string[], { received, asked, written, apart }: Seen): void {
  const lines = [...received, ...asked, ...written, ...apart];
  const missing = shows.find((text) => !lines.some((line) => line.includes(text)));
  if (missing === undefined) return;
  throw new Error(`Nothing shows ${JSON.stringify(missing)}. This was seen:\n${lines.join('\n')}`);
}

/** Each message after the turn before it. */
async function sendAll({
  session,
  says,
}: {
  readonly session: ScenarioSession;
  readonly says: readonly string[];
}): Promise<void> {
  for (const text of says) await session.send(text).result;
}

function continuing(how: 'resume' | 'fork' | 'continue', id: string | undefined): object {
  if (how === 'continue') return { continue: true };
  return how === 'fork' ? { resume: id, fork: true } : { resume: id };
}

/** Answers in their order, each of them once. */
function decisionsOf(decides: readonly unknown[]): { readonly options: object; verify(): void } {
  const left = [...decides];
  let tooMany: Error | undefined;
  const onAsk = (ask: { readonly kind: string }): unknown => {
    if (left.length === 0) {
      tooMany ??= new Error(`The scenario decides ${decides.length} times, and was asked for one more: ${ask.kind}.`);
      throw tooMany;
    }
    const next = left.shift();
    return typeof next === 'function' ? (next as (asked: unknown) => unknown)(ask) : next;
  };
  return {
    options: decides.length === 0 ? {} : { onAsk },
    verify() {
      // The SDK denies a call where `onAsk` throws, and the conversation continues.
      if (tooMany) throw tooMany;
      if (left.length > 0)
        throw new Error(`The scenario decides ${decides.length} times, and was asked ${left.length} times less.`);
    },
  };
}
