import { context, type Context } from '@opentelemetry/api';
import { isRecord } from '@hexagent/checks';
import type { FeatureControl, SessionFeature } from '@hexagent/ports';
import { overriding } from './overriding.ts';

/** What the callbacks of one conversation need of its trace. */
export interface CallbackTrace {
  /** The context for a callback about this call. */
  contextFor(call: unknown): Context;
  /** A request is shown to a person. */
  askedPerson(id: string): void;
}

type Handler = (request: unknown, ...rest: readonly unknown[]) => unknown;

/** The feature, whose callbacks run in the context of the call that they are about: what they trace belongs to it. */
export function tracedFeature(feature: SessionFeature, trace: CallbackTrace): SessionFeature {
  return overriding(feature, {
    ...(feature.handlers && { handlers: inContext(feature.handlers, trace) }),
    ...(feature.untypedHandlers && { untypedHandlers: inContext(feature.untypedHandlers, trace) }),
    ...(feature.attach && { attach: (control: FeatureControl) => feature.attach?.(listening(control, trace)) }),
  });
}

function inContext<Handlers extends object>(handlers: Handlers, trace: CallbackTrace): Handlers {
  const wrapped = Object.entries(handlers).map(([subtype, handler]: [string, Handler | undefined]) => {
    if (handler === undefined) return [subtype, handler];
    const call: Handler = (request, ...rest) =>
      context.with(trace.contextFor(callOf(request)), () => handler(request, ...rest));
    return [subtype, call];
  });
  return Object.fromEntries(wrapped) as Handlers; // the same handlers, each behind a function with its parameters
}

/** The call of a tool that a request is about. */
function callOf(request: unknown): unknown {
  if (!isRecord(request)) return undefined;
  const { tool_use_id: call, message } = request;
  if (call !== undefined || !isRecord(message) || !isRecord(message['params'])) return call;
  const meta = message['params']['_meta'];
  return isRecord(meta) ? meta['claudecode/toolUseId'] : undefined;
}

/** The feature reports the requests that it shows to a person as events of the conversation. */
function listening(control: FeatureControl, trace: CallbackTrace): FeatureControl {
  return {
    ...control,
    append: (fact) => {
      if (fact.kind === 'ask_opened') trace.askedPerson(fact.ask.id);
      control.append?.(fact);
    },
  };
}
