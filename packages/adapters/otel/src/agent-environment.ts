import { isSpanContextValid, trace, type Context } from '@opentelemetry/api';
import type { Launch } from '@hexagent/ports';

type Variables = Launch['env'];

/** The launch of an agent whose own spans, and those of the programs that it runs, belong to the span that is active here. */
export function withParent(launch: Launch, active: Context): Launch {
  const span = trace.getSpanContext(active);
  if (span === undefined || !isSpanContextValid(span) || isOwn(launch.env)) return launch;
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  const state = span.traceState?.serialize();
  const { TRACESTATE: _, ...env } = launch.env;
  return {
    ...launch,
    env: { ...env, TRACEPARENT: `00-${span.traceId}-${span.spanId}-${flags}`, ...(state && { TRACESTATE: state }) },
  };
}

/** Whether the program chose a parent itself. One that this process was started with is only older. */
function isOwn({ TRACEPARENT: given }: Variables): boolean {
  return given !== undefined && given !== process.env['TRACEPARENT'];
}

/** Whether the agent exports spans about its turns, requests and tools itself. */
export function exportsSpans(env: Variables): boolean {
  const { CLAUDE_CODE_ENABLE_TELEMETRY: enabled, CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: enhanced } = env;
  const { ENABLE_ENHANCED_TELEMETRY_BETA: alias, OTEL_TRACES_EXPORTER: exporter = '' } = env;
  return isOn(enabled) && (isOn(enhanced) || isOn(alias)) && exporter !== '' && exporter !== 'none';
}

/** The service that answers the agent, by the names of the conventions. */
export function providerOf(env: Variables): string {
  if (isOn(env['CLAUDE_CODE_USE_BEDROCK'])) return 'aws.bedrock';
  if (isOn(env['CLAUDE_CODE_USE_VERTEX'])) return 'gcp.vertex_ai';
  return isOn(env['CLAUDE_CODE_USE_FOUNDRY']) ? 'azure.ai.inference' : 'anthropic';
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.toLowerCase());
}
