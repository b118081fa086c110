import type { MeterProvider, TracerProvider } from '@opentelemetry/api';

export interface TelemetryOptions {
  /**
   * Also records prompts, answers, and the inputs and results of tools. Default: whether the variable
   * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`.
   */
  readonly content?: boolean | undefined;
  /** The name of the agent in its spans. Default `claude-code`. */
  readonly agentName?: string | undefined;
  /**
   * Whether the agents export spans themselves: then no spans are made of them here. Default: as the environment of each agent says. To be
   * set where a settings file of the agent switches them on.
   */
  readonly agentSpans?: boolean | undefined;
  /** Makes the spans. Default: the provider that the program has registered. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Makes the metrics. Default: the provider that the program has registered. */
  readonly meterProvider?: MeterProvider | undefined;
}
