/** The version of the official package that this face stands in for. The agent puts it into the User-Agent of its requests. */
const officialVersion = '0.3.328';

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment of an agent. Variables that the program set override ours. */
export function agentEnvironment(variables: Variables): Variables {
  return { CLAUDE_AGENT_SDK_VERSION: officialVersion, ...traceVariables(), ...variables };
}

/** Where every copy of `@opentelemetry/api` keeps what a program has registered. */
const registry = Symbol.for('opentelemetry.js.api.1');

/**
 * The active span of a program that uses OpenTelemetry, as its propagator writes it (`TRACEPARENT`, `TRACESTATE`), so that
 * the agent's spans have it as their parent.
 */
function traceVariables(): Variables {
  const carrier: Record<string, string> = {};
  try {
    const { context, propagation } = (Reflect.get(globalThis, registry) ?? {}) as OpenTelemetry;
    const set = (_: unknown, name: string, value: string): void => void (carrier[name.toUpperCase()] = value);
    propagation?.inject(context?.active(), carrier, { set });
  } catch {
    return {}; // a tracer that fails does not keep the agent from starting
  }
  return carrier;
}

/** The part of the registered API that is used. */
interface OpenTelemetry {
  readonly context?: { active(): unknown };
  readonly propagation?: {
    inject(
      context: unknown,
      carrier: object,
      setter: { set(carrier: unknown, name: string, value: string): void },
    ): void;
  };
}
