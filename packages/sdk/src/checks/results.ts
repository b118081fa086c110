import { callable, type Check, having, isRecord, kindOf, list, refuse } from '@hexagent/checks';
import { handled } from '@hexagent/async';
import type { Launch, Launcher, SessionFeature } from '@hexagent/ports';
import type { Parts } from '../parts.ts';

const feature: Check<SessionFeature> = (value, place) => {
  if (isRecord(value)) return value as SessionFeature & typeof value; // what it has is read when it is used
  throw refuse(place, 'a feature', kindOf(value));
};

/** The same parts, whose answers are checked where a wrong one would only show much later, or as something else. */
export function withCheckedResults(parts: Parts): Parts {
  const { protocol, parser, launcher, clock, ids, gate, dispatcher, features, conversations } = parts;
  // Tried at once: a delay is cancelled where nothing could report that it cannot be.
  if (clock) callable()(atOnce('clock.after', () => clock.after(1, () => {}))(), 'clock.after()')();
  return {
    ...parts,
    ...(protocol && { protocol: { open: atOnce('protocol.open', (...given) => protocol.open(...given)) } }),
    ...(parser && {
      parser: {
        parse: atOnce('parser.parse', (...given) => parser.parse(...given)),
        stringify: textual('parser.stringify', (frame) => parser.stringify(frame)),
      },
    }),
    ...(launcher && { launcher: launching(atOnce('launcher', launcher)) }),
    ...(ids && {
      ids: { request: textual('ids.request', () => ids.request()), uuid: textual('ids.uuid', () => ids.uuid()) },
    }),
    ...(gate && { gate: making('gate', gate, having('decide')) }),
    ...(dispatcher && { dispatcher: making('dispatcher', dispatcher, having('registration', 'dispatch')) }),
    ...(conversations && { conversations: making('conversations', conversations, having('open')) }),
    ...(features && { features: making('features', features, list(feature, 'a list of features')) }),
  };
}

/** These are not awaited: a promise would be taken for the result, and its rejection would end the program. */
function atOnce<Given extends readonly unknown[], Result>(
  name: string,
  call: (...given: Given) => Result,
): (...given: Given) => Result {
  return (...given) => {
    const result = call(...given);
    if (!isThenable(result)) return result;
    void handled(Promise.resolve(result));
    throw new TypeError(`\`${name}\` returned a promise. It must return its result at once.`);
  };
}

/** Checks the made part: without its gate, a session would continue without its rules. */
function making<Given extends readonly unknown[], Made>(
  name: string,
  make: (...given: Given) => Made,
  check: Check<Made>,
): (...given: Given) => Made {
  const makeNow = atOnce(name, make);
  return (...given) => check(makeNow(...given), `${name}()`);
}

const launching =
  (launcher: Launcher): Launcher =>
  (options) => {
    const launch: unknown = launcher(options);
    if (typeof launch === 'object' && launch !== null && 'args' in launch && Array.isArray(launch.args))
      return launch as Launch; // its other fields are checked by the transport
    throw new TypeError(`\`launcher\` must return a launch with a list of \`args\`, not ${kindOf(launch)}.`);
  };

function textual<Given extends readonly unknown[]>(
  name: string,
  call: (...given: Given) => string,
): (...given: Given) => string {
  const calling = atOnce(name, call);
  return (...given) => {
    const result: unknown = calling(...given);
    if (typeof result === 'string' && result !== '') return result;
    throw new TypeError(`\`${name}\` must return a string that is not empty, not ${kindOf(result)}.`);
  };
}

function isThenable(value: unknown): boolean {
  const mayBe = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return mayBe && typeof Reflect.get(value, 'then') === 'function';
}
