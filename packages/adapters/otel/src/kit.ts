import type { Attributes, Tracer } from '@opentelemetry/api';
import type { Instruments } from './instruments.ts';
import { genAi } from './names.ts';

/** What everything in the trace of one conversation uses. */
export interface Kit {
  readonly tracer: Tracer;
  readonly instruments: Instruments;
  /** Whether texts, inputs and results are recorded. */
  readonly capturesContent: boolean;
  readonly provider: string;
  readonly agentName: string;
  /** What the agent reports of itself when a turn begins. */
  readonly agent: { sessionId?: string | undefined; version?: string | undefined; model?: string | undefined };
}

/** The attributes of every span of a conversation. */
export function commonOf({ agent, provider }: Kit): Attributes {
  return {
    [genAi.provider]: provider,
    ...(agent.sessionId === undefined ? {} : { [genAi.conversation]: agent.sessionId }),
  };
}
