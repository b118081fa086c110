export { isAbsolutePath, isBareName } from './absolute-path.ts';
export { findCli, type CliSearch, type FoundProgram } from './find-cli.ts';
export type { FileKind, HostEnvironment, SearchRoot } from './host-environment.ts';
export { buildForLibc } from './platform-packages.ts';
export { readHostEnvironment, type HostEnvironmentOptions } from './read-host-environment.ts';
export { searchPath, type PathSearch } from './search-path.ts';
