export { agent, model, turn } from './model.ts';
export type {
  AgentPart,
  AnswerPart,
  BackgroundPart,
  CallOptions,
  CallPart,
  Continuation,
  Departure,
  Given,
  Happening,
  Part,
  RefusalOptions,
  RefusalPart,
  Scenario,
  ScenarioTurn,
  TextPart,
  WaitPart,
} from './scenario.ts';
export { playScenario, type MakeSdk, type PlayOptions, type ScenarioSession } from './play-scenario.ts';
export type { Depth } from './places.ts';
export type { Seen } from './recorder.ts';
export { scriptedCli } from './places.ts';
export { runScriptedCli } from './scripted-cli.ts';
