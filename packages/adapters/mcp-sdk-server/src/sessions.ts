/*
 * What serves a server's tools. Loaded when an agent first sends a message to a server: most programs have none. A file that
 * imported any of it would load it with the facade.
 */
export { checkArguments } from './check-arguments.ts';
export { bridge } from './bridge.ts';
export { LightSession } from './light-session.ts';
