export { instrument, withTelemetry, type InstrumentedParts } from './instrument.ts';
export type { TelemetryOptions } from './options.ts';
