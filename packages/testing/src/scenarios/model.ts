import type {
  AgentPart,
  AnswerPart,
  BackgroundPart,
  CallOptions,
  CallPart,
  Happening,
  Part,
  RefusalOptions,
  RefusalPart,
  ScenarioTurn,
  TextPart,
  WaitPart,
} from './scenario.ts';

const piecesOf = (pieces: string | TextPart['pieces']): TextPart['pieces'] =>
  typeof pieces === 'string' ? [pieces] : pieces;

/** What the model does in a scenario. */
export const model = {
  text: (pieces: string | TextPart['pieces']): TextPart => ({ part: 'text', pieces: piecesOf(pieces) }),
  thinking: (pieces: string | TextPart['pieces']): TextPart => ({ part: 'thinking', pieces: piecesOf(pieces) }),
  call: (tool: string, input: CallPart['input'] = {}, options: CallOptions = {}): CallPart => ({
    ...options,
    part: 'call',
    tool,
    input,
  }),
  /** A shell in the background. With `report` it has to end by itself, and the model says that then. */
  shell: (command: string, report?: string): BackgroundPart => ({
    part: 'background',
    kind: 'local_bash',
    what: command,
    report,
  }),
  /** A subagent in the background, which answers this. The model says `report` when it has ended. */
  subagent: (description: string, answer: string, report: string): BackgroundPart => ({
    part: 'background',
    kind: 'local_agent',
    what: description,
    answer,
    report,
  }),
  /** An answer that stops for another reason, or has another usage. */
  answer: (parts: readonly Part[], more: Pick<AnswerPart, 'stopReason' | 'usage'>): AnswerPart => ({
    ...more,
    part: 'answer',
    parts,
  }),
  /** The model waits until the turn is stopped. */
  wait: { part: 'wait' } as WaitPart,
  /** The API refuses requests. */
  refuses: (status: number, message: string, options: RefusalOptions = {}): RefusalPart => ({
    ...options,
    part: 'refusal',
    status,
    message,
  }),
} as const;

/** What the CLI does by itself, and a scripted agent only where a scenario has it. */
export const agent = {
  /** Frames that it writes here. */
  writes: (...frames: AgentPart['frames']): AgentPart => ({ part: 'frames', frames }),
  /** It ends the turn here, with a result that has these fields. */
  ends: (fields: AgentPart['frames'][number]): AgentPart => ({ part: 'result', frames: [fields] }),
} as const;

/** What the user says, and what happens then. */
export function turn(says: string, ...happens: readonly Happening[]): ScenarioTurn {
  return { says, happens };
}
