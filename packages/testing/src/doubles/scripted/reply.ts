import type { Gate } from '../../loopback/stream-effects.ts';
import type { ExitFields } from '../wire.ts';
import { checkBackgroundOptions, checkToolOptions } from './check-script.ts';
import type {
  AgentRequest,
  ApiErrorStep,
  AskStep,
  BackgroundOptions,
  BackgroundStep,
  EndStep,
  ExitStep,
  FramesStep,
  HoldStep,
  Step,
  TextPieces,
  TextStep,
  ToolOptions,
  ToolStep,
  TurnScript,
} from './script.ts';

/** The steps of a turn, for reading like a script. */
export const reply = {
  text: (pieces: TextPieces): TextStep => ({ step: 'text', pieces }),
  thinking: (pieces: TextPieces): TextStep => ({ step: 'thinking', pieces }),
  /** Calls that follow each other are parallel calls of one answer of the model. */
  tool: (name: string, input: Readonly<Record<string, unknown>> = {}, options: ToolOptions = {}): ToolStep => ({
    ...checkToolOptions(options),
    step: 'tool',
    name,
    input,
  }),
  /** A shell in the background. */
  shell: (command: string, options: BackgroundOptions = {}): BackgroundStep => ({
    ...checkBackgroundOptions('shell', options),
    step: 'background',
    kind: 'local_bash',
    description: command,
  }),
  /** A delegated task in the background. */
  subagent: (description: string, options: BackgroundOptions = {}): BackgroundStep => ({
    ...checkBackgroundOptions('subagent', options),
    step: 'background',
    kind: 'local_agent',
    description,
  }),
  /** The model waits. */
  hold: (gate: Gate): HoldStep => ({ step: 'hold', gate }),
  /** Unchanged frames. */
  frames: (...frames: readonly object[]): FramesStep => ({ step: 'frames', frames }),
  /** A control request of any kind; the turn waits for its answer. */
  ask: (request: AgentRequest): AskStep => ({ step: 'ask', request }),
  /** The turn ends here, with a result that has these fields instead of the usual ones. */
  result: (result: Readonly<Record<string, unknown>>): EndStep => ({ step: 'end', result }),
  /** The API refused, after all retries; the turn ends here. */
  apiError: (status: number | null, message: string): ApiErrorStep => ({ step: 'api_error', status, message }),
  /** The agent exits here. */
  exit: (fields: ExitFields = {}): ExitStep => ({ step: 'exit', fields }),
} as const;

export function toSteps(script: TurnScript): readonly Step[] {
  const steps: readonly (string | Step)[] = typeof script === 'string' || 'step' in script ? [script] : script;
  return steps.map((step) => (typeof step === 'string' ? reply.text(step) : step));
}
