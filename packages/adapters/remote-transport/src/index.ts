export { command, docker, isRemoteCommand, ssh } from './remote-command.ts';
export type { DockerOptions, PlaceOptions, RemoteCommand, SshOptions } from './remote-command.ts';
export { RemoteTransport } from './remote-transport.ts';
export type { RemoteTransportOptions } from './remote-transport.ts';
