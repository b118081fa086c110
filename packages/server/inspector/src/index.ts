export { inspect, type Inspector, type InspectOptions } from './inspect.ts';
export { inspectTapes } from './inspect-tapes.ts';
export type { InspectorServer } from './inspector-server.ts';
export { inspectedPrograms, type InspectedProgram } from './inspected-programs.ts';
