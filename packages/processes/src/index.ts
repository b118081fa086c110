export { isAbsolutePath, isBareName } from './absolute-path.ts';
export { nameOfArgument } from './argument-names.ts';
export { findCli, type CliSearch, type FoundProgram } from './find-cli.ts';
export type { FileKind, HostEnvironment, SearchRoot } from './host-environment.ts';
export { refuseNulIn, refuseNulInOptions } from './nul-characters.ts';
export { buildForLibc } from './platform-packages.ts';
export { readHostEnvironment, type HostEnvironmentOptions } from './read-host-environment.ts';
export { withoutValues } from './spawn-errors.ts';
export { searchPath, type PathSearch } from './search-path.ts';
