import { Chance } from '../support/chance.ts';
import { makeAgent, type AgentPlan } from './agent-plan.ts';

/** What the program's permission callback does, call by call. */
export const decisions = [
  'allow',
  'deny',
  'throw',
  'reject',
  'nothing',
  'a text',
  'a wrong word',
  'elsewhere',
  'never',
  'when aborted',
  'later',
  'interrupt',
  'close',
] as const;
export type DecisionKind = (typeof decisions)[number];

/** What the program does once, at a moment of its own. */
export const actions = [
  'interrupt',
  'interrupt turn',
  'control',
  'control with deadline',
  'control aborted',
  'idle',
  'send',
  'close',
  'abort',
  'leave',
  'finish',
  'kill',
  'terminate',
  'stand still',
] as const;
export type ActionKind = (typeof actions)[number];

export interface Action {
  readonly do: ActionKind;
  /** After so many messages were read; or, without it, after so many milliseconds. */
  readonly messages?: number;
  readonly ms?: number;
}

export interface ProgramPlan {
  readonly sends: number;
  /** All messages at once, or each after the one before it was answered. */
  readonly atOnce: boolean;
  /** The drop-in's prompt: a text, or a stream of messages, which may misbehave. */
  readonly prompt: 'text' | 'stream' | 'stream that throws' | 'stream that hangs' | 'stream whose return throws';
  readonly decisions: readonly DecisionKind[];
  readonly hooks: boolean;
  readonly hook: 'nothing' | 'throw' | 'never' | 'deny';
  readonly servers: boolean;
  readonly elicits: boolean;
  readonly signal: boolean;
  readonly secretFile: boolean;
  readonly softMarkBytes?: number;
  readonly hardMarkBytes?: number;
  readonly maxLineBytes?: number;
  readonly initializeTimeoutMs?: number;
  /** After so many messages each waits for a turn of the event loop; 0 reads as fast as it can. */
  readonly slowEvery: number;
  readonly actions: readonly Action[];
  /** How it ends when nothing has ended it. */
  readonly ending: 'close' | 'finish' | 'abort' | 'dispose';
}

/** One run, decided by its seed alone. */
export interface Plan {
  readonly seed: number;
  readonly face: 'native' | 'drop-in';
  /** Nothing in it keeps the agent from answering everything, or the program from reading everything. */
  readonly isBenign: boolean;
  readonly program: ProgramPlan;
}

/** The same with a scripted agent. */
export interface ScriptedPlan extends Plan {
  readonly agent: AgentPlan;
}

/** A run with an agent that is not scripted: the same programs, since what they do is theirs alone. */
export function makeProgram(chance: Chance, isBenign: boolean): ProgramPlan {
  return isBenign ? benignProgram(chance) : faultyProgram(chance);
}

export function makePlan(seed: number): ScriptedPlan {
  const chance = new Chance(seed);
  const face = chance.oneOf(['native', 'native', 'drop-in'] as const);
  const isBenign = chance.percent(40);
  const program = makeProgram(chance, isBenign);
  const agent = makeAgent(chance, { isBenign, isNative: face === 'native', turns: program.sends });
  return { seed, face, isBenign, agent, program };
}

function benignProgram(chance: Chance): ProgramPlan {
  return {
    sends: 1 + chance.below(3),
    atOnce: chance.percent(50),
    prompt: chance.oneOf(['text', 'stream']),
    decisions: chance.list(1, 6, () => chance.oneOf(['allow', 'deny', 'throw', 'nothing', 'a wrong word', 'later'])),
    hooks: chance.percent(40),
    hook: chance.oneOf(['nothing', 'throw', 'deny']),
    servers: chance.percent(30),
    elicits: chance.percent(30),
    signal: chance.percent(50),
    secretFile: chance.percent(30),
    ...(chance.percent(30) && { softMarkBytes: chance.oneOf([0, 1000, 50_000]) }),
    ...(chance.percent(20) && { hardMarkBytes: chance.oneOf([0, 5000, 100_000]) }),
    slowEvery: chance.oneOf([0, 0, 1, 7]),
    actions: [],
    ending: 'finish',
  };
}

function faultyProgram(chance: Chance): ProgramPlan {
  return {
    ...benignProgram(chance),
    prompt: chance.oneOf([
      'text',
      'stream',
      'stream',
      'stream that throws',
      'stream that hangs',
      'stream whose return throws',
    ]),
    decisions: chance.list(1, 6, () => chance.oneOf(decisions)),
    hook: chance.oneOf(['nothing', 'throw', 'deny', 'never']),
    ...(chance.percent(20) && { maxLineBytes: 100_000 }),
    ...(chance.percent(50) && { initializeTimeoutMs: chance.oneOf([1, 50, 300]) }),
    actions: chance.list(0, 3, () => ({
      do: chance.oneOf(actions),
      ...(chance.percent(60) ? { messages: chance.below(12) } : { ms: chance.oneOf([0, 0, 1, 5, 20, 80, 200]) }),
    })),
    ending: chance.oneOf(['close', 'finish', 'abort', 'dispose']),
  };
}
