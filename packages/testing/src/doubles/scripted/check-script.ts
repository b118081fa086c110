import { isRecord, kindOf, shown } from '@hexagent/checks';
import type { AgentScript, BackgroundOptions, Step, ToolOptions, TurnScript } from './script.ts';

/** Every name of a type, so that a new one without its row does not compile. */
type NamesOf<T> = Readonly<Record<keyof T, true>>;

const scriptNames: NamesOf<AgentScript> = {
  turns: true,
  start: true,
  initialize: true,
  sessionId: true,
  stateFrames: true,
  controls: true,
};

const toolNames: NamesOf<ToolOptions> = {
  asks: true,
  result: true,
  isError: true,
  until: true,
  readOnly: true,
  id: true,
};

const backgroundNames: NamesOf<BackgroundOptions> = { prompt: true, until: true, fails: true, report: true };

const stepNames: NamesOf<Record<Step['step'], true>> = {
  text: true,
  thinking: true,
  tool: true,
  background: true,
  hold: true,
  frames: true,
  ask: true,
  api_error: true,
  end: true,
  exit: true,
};

/** A test in JavaScript learns here what TypeScript would mark: a misspelt name would else make a test of something else. */
export function checkScript(script: AgentScript): void {
  checkNames('scriptedAgent()', script, scriptNames);
  const { turns = [] }: { readonly turns?: unknown } = script;
  if (typeof turns === 'function') return;
  if (!Array.isArray(turns)) throw new TypeError(`\`turns\` must be a list or a function, not ${shown(turns)}.`);
  for (const [index, turn] of turns.entries()) checkTurn(turn, `turns[${index}]`);
}

/** @throws {TypeError} for what is not a turn, naming its place. */
export function checkTurn(turn: unknown, place: string): asserts turn is TurnScript {
  if (!Array.isArray(turn)) return checkStep(turn, place);
  for (const [index, step] of turn.entries()) checkStep(step, `${place}[${index}]`);
}

export function checkToolOptions(options: ToolOptions): ToolOptions {
  return checkNames('reply.tool()', options, toolNames);
}

export function checkBackgroundOptions(maker: string, options: BackgroundOptions): BackgroundOptions {
  return checkNames(`reply.${maker}()`, options, backgroundNames);
}

function checkStep(step: unknown, place: string): void {
  if (typeof step === 'string') return;
  if (isRecord(step) && typeof step['step'] === 'string' && Object.hasOwn(stepNames, step['step'])) return;
  throw new TypeError(`\`${place}\` must be a text or made by \`reply\`, not ${kindOf(step)}.`);
}

function checkNames<T extends object>(what: string, given: T, known: NamesOf<T>): T {
  if (!isRecord(given)) throw new TypeError(`${what} takes an object of options, not ${kindOf(given)}.`);
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name))
      throw new TypeError(`\`${name}\` is no option of ${what}. There are ${Object.keys(known).join(', ')}.`);
  return given;
}
