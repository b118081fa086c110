import { hang, pause } from '../loopback/stream-effects.ts';
import type { Script } from '../loopback/script.ts';
import {
  apiError,
  reply,
  silent,
  text,
  thinking,
  toolUse,
  type Part as ModelPart,
  type TurnLike,
} from '../loopback/turns.ts';
import type { Happening, Part, ScenarioTurn, TextPart } from './scenario.ts';

/** What the loopback model answers: in order to the requests of the conversation, and to those of subagents beside it. */
export function toModelScript(turns: readonly ScenarioTurn[]): Script {
  const subagents = turns.flatMap(({ happens }) => happens.flatMap(partsIn)).flatMap(subagentOf);
  const answers = turns.flatMap(({ happens }) => [
    ...happens.flatMap(answersOf),
    ...happens.flatMap((happening) => partsIn(happening).flatMap(reportOf)),
  ]);
  if (subagents.length === 0) return answers;
  const left = [...answers];
  return (request) => {
    const [first] = request.body.messages;
    const subagent = subagents.find(({ prompt }) => JSON.stringify(first).includes(prompt));
    return subagent?.answer ?? left.shift() ?? apiError(402, { message: 'The scenario has no more answers.' });
  };
}

interface SubagentAnswer {
  readonly prompt: string;
  readonly answer: TurnLike;
}

/** What runs in the background ends after the turn in which it began. */
const backgroundMs = 1500;

function subagentOf(part: Part): readonly SubagentAnswer[] {
  if (part.part === 'background' && part.answer !== undefined)
    return [{ prompt: part.what, answer: text([pause(backgroundMs), part.answer]) }];
  if (part.part !== 'call' || part.subagent === undefined) return [];
  return [{ prompt: String(part.input['prompt']), answer: part.subagent }];
}

function answersOf(happening: Happening): readonly TurnLike[] {
  if (typeof happening === 'string') return [happening];
  if (isList(happening)) return [happening.map(modelPartOf)];
  switch (happening.part) {
    case 'answer': {
      const { parts, stopReason, usage } = happening;
      return [reply(parts.map(modelPartOf), { ...(stopReason && { stopReason }), ...(usage && { usage }) })];
    }
    case 'wait':
      return [silent()];
    case 'refusal':
      return [apiError(happening.status, { message: happening.message, times: happening.times ?? 1 })];
    case 'frames':
    case 'result':
      return [];
    default:
      return [modelPartOf(happening)];
  }
}

function partsIn(happening: Happening): readonly Part[] {
  if (typeof happening === 'string') return [];
  if (isList(happening)) return happening;
  if (happening.part === 'answer') return happening.parts;
  return happening.part === 'call' || happening.part === 'background' || isText(happening) ? [happening] : [];
}

/** The end of a task in the background begins a turn of its own. */
const reportOf = (part: Part): readonly TurnLike[] =>
  part.part === 'background' && part.report !== undefined ? [part.report] : [];

function modelPartOf(part: Part): ModelPart {
  if (isText(part)) {
    const pieces = part.pieces.map((piece) => (typeof piece === 'string' ? piece : hang()));
    return part.part === 'text' ? text(pieces) : thinking(pieces);
  }
  if (part.part === 'call') return toolUse(part.tool, part.input);
  const { what } = part;
  if (part.kind === 'local_bash') return toolUse('Bash', { command: what, run_in_background: true });
  return toolUse('Task', { description: what, prompt: what, subagent_type: 'general-purpose' });
}

const isText = (part: { readonly part: string }): part is TextPart => part.part === 'text' || part.part === 'thinking';

// `Array.isArray` alone does not narrow a readonly array.
export function isList(value: object): value is readonly Part[] {
  return Array.isArray(value);
}
