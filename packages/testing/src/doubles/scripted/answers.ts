import type { ModelBlock } from './model-answer.ts';
import type { BackgroundStep, Step, TextStep, ToolStep } from './script.ts';

/** A step that is a content block of an answer of the model. */
export type ContentStep = TextStep | ToolStep | BackgroundStep;

export type OtherStep = Exclude<Step, ContentStep>;

/** Consecutive blocks are one answer of the model; a text after tools begins the next one. */
export function answersOf(steps: readonly Step[]): (ContentStep[] | OtherStep)[] {
  const parts: (ContentStep[] | OtherStep)[] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    if (!isContent(step)) parts.push(step);
    else if (Array.isArray(last) && !(isText(step) && !last.every(isText))) last.push(step);
    else parts.push([step]);
  }
  return parts;
}

export function isText(step: Step): step is TextStep {
  return step.step === 'text' || step.step === 'thinking';
}

function isContent(step: Step): step is ContentStep {
  return isText(step) || step.step === 'tool' || step.step === 'background';
}

/** How the model writes a step; `id` is that of a tool use. */
export function blockOf(step: ContentStep, id: string): ModelBlock {
  if (isText(step)) return textBlock(step);
  const { name, input } = step.step === 'tool' ? step : backgroundCall(step);
  return { kind: 'tool_use', pieces: JSON.stringify(input), whole: () => ({ type: 'tool_use', id, name, input }) };
}

function textBlock({ step, pieces }: TextStep): ModelBlock {
  if (step === 'text') return { kind: 'text', pieces, whole: (text) => ({ type: 'text', text }) };
  return {
    kind: 'thinking',
    pieces,
    whole: (thinking) => ({ type: 'thinking', thinking, signature: thinking === '' ? '' : 'sig' }),
  };
}

/** The call by which the model starts what runs in the background. */
export function callOf(step: BackgroundStep): ToolStep {
  return { step: 'tool', ...backgroundCall(step) };
}

function backgroundCall({ kind, description, prompt = description }: BackgroundStep): {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
} {
  if (kind === 'local_bash') return { name: 'Bash', input: { command: description, run_in_background: true } };
  return { name: 'Task', input: { description, prompt, subagent_type: 'general-purpose' } };
}
