export { hermeticEnv, type HermeticEnvOptions } from './env.ts';
export { findCli, requireCli, type FindCliOptions } from './find-cli.ts';
export {
  answers,
  controlAnswer,
  controlRequest,
  userFrame,
  wireArgs,
  type FrameMatch,
  type RawFrame,
} from './frames.ts';
export { hermeticHome, type HermeticHome } from './home.ts';
export { descendants, isAlive, processes, processesMentioning, survivors, type ProcessEntry } from './processes.ts';
export { runCli, type RunCliOptions } from './run-cli.ts';
export { runProgram } from './run-program.ts';
export type { CliRun, RawExit } from './running-cli.ts';
export { typeInto, type Typing } from './type-into.ts';
