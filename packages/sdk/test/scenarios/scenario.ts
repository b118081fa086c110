import type { Session, SessionOptions } from '@hexagent/sdk';
import type { Scenario as AnyScenario } from '@hexagent/testing/scenarios';

/** A conversation over the native face, to be had with an agent of each depth. */
export type Scenario = AnyScenario<SessionOptions, Session>;
export type Scenarios = Readonly<Record<string, Scenario>>;

/** The model may run commands and read without asking. */
export const allowing: SessionOptions = { permissions: { allow: ['Bash', 'Read'] } };
