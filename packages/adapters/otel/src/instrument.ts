import { having, flag, record, text, type Checks } from '@hexagent/checks';
import { notify } from '@hexagent/async';
import type { Conversations, Observer, WarningListener } from '@hexagent/ports';
import { warnProcess } from '@hexagent/processes';
import type { TelemetryOptions } from './options.ts';
import { Telemetry } from './telemetry.ts';

/** The parts of an SDK that telemetry changes; those of `createSdk()` and `createQuery()` have them. */
export interface InstrumentedParts {
  readonly observer?: Observer | undefined;
  readonly conversations?: ((inner: Conversations) => Conversations) | undefined;
  readonly onWarning?: WarningListener | undefined;
}

const optionChecks: Checks<TelemetryOptions> = {
  content: flag,
  agentName: text(),
  agentSpans: flag,
  tracerProvider: having('getTracer'),
  meterProvider: having('getMeter'),
};

/** The parts that are traced already: an SDK that is made of them in an instrumented process has no second trace. */
const tracedObservers = new WeakSet<Observer>();

/**
 * Parts of an SDK with telemetry: `createSdk(withTelemetry())`, `createQuery(withTelemetry({ transport }))`.
 * @throws {TypeError} for an option that is unknown or invalid, naming it.
 */
export function withTelemetry<Parts extends InstrumentedParts = InstrumentedParts>(
  parts?: Parts,
  options?: TelemetryOptions,
): Parts & InstrumentedParts {
  const given = (parts ?? {}) as Parts; // without parts, nothing of them is read
  const telemetry = new Telemetry(record<TelemetryOptions>(optionChecks, { called: 'options' })(options ?? {}, ''));
  const { observer, conversations, onWarning } = given;
  const both = joined(telemetry, observer);
  tracedObservers.add(both);
  return {
    ...given,
    observer: both,
    conversations: (inner: Conversations) => telemetry.around(conversations?.(inner) ?? inner),
    // Where there is an observer, the process is not warned of failures, since that receives them. Ours shows them to no person.
    onWarning: onWarning ?? (observer === undefined ? warnProcess : undefined),
  };
}

/** The name under which SDKs look for what changes their parts. */
const instrumentation = Symbol.for('@hexagent/sdk/instrumentation');

/**
 * Gives telemetry to all sessions, answers and queries of this process from now on, also those of the drop-in. An SDK that a program made before
 * with `createSdk()` or `createQuery()` stays as it is.
 * @returns a function that ends this for what is opened later.
 * @throws {TypeError} for an option that is unknown or invalid, naming it.
 */
export function instrument(options?: TelemetryOptions): () => void {
  withTelemetry({}, options); // what is wrong is thrown here, and not from the first session
  const change = <Parts extends InstrumentedParts>(parts: Parts): Parts =>
    parts.observer !== undefined && tracedObservers.has(parts.observer) ? parts : withTelemetry(parts, options);
  Reflect.set(globalThis, instrumentation, change);
  return () => {
    if (Reflect.get(globalThis, instrumentation) === change) Reflect.deleteProperty(globalThis, instrumentation);
  };
}

/** Each is called, whatever the other throws; what the program's own throws is warned of as if it were alone. */
function joined(telemetry: Observer, observer: Observer | undefined): Observer {
  if (observer === undefined) return telemetry;
  return {
    observe: (event) => {
      notify(() => telemetry.observe(event));
      return observer.observe(event); // it may return a promise, whose rejection is warned of
    },
  };
}
