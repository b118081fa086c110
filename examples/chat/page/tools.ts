import type { ApprovalDescriptor, ChatMessage, ChatPart, Draft, Question, ToolPart } from './wire.ts';

export const isTool = (part: ChatPart): part is ToolPart => part.type === 'dynamic-tool';

/** Waits for a person. What was decided by a rule is a request too, with its answer right behind it. */
export const isPending = (part: ChatPart): boolean =>
  isTool(part) && part.state === 'approval-requested' && part.approval.isAutomatic !== true;

/** The details that the server sent with a request; one without details counts as a plain permission. */
export function descriptorOf(part: ToolPart): ApprovalDescriptor {
  const given: Partial<ApprovalDescriptor> =
    typeof part.approval?.descriptor === 'object' && part.approval.descriptor !== null ? part.approval.descriptor : {};
  return { kind: 'permission', suggestions: [], ...given };
}

const fields = ['command', 'file_path', 'pattern', 'path', 'url', 'query', 'description', 'prompt', 'skill'] as const;

/** One line that describes a call. */
export function summaryOf(part: ToolPart): string {
  const { input } = part;
  const [question, ...others] = questionsOf(part);
  if (question) return others.length === 0 ? question.question : `${question.question} and ${others.length} more`;
  if (typeof input !== 'object' || input === null) return '';
  const entries = Object.entries(input);
  for (const field of fields) {
    const value = entries.find(([name]) => name === field)?.[1];
    if (typeof value === 'string') return value.split('\n')[0] ?? '';
  }
  const [first] = entries.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  return first?.split('\n')[0] ?? '';
}

/** Why the call needs an approval, unless the input has the same text. */
export function reasonOf({ approval, input }: ToolPart): string | undefined {
  const { description } = (input ?? {}) as { description?: unknown };
  return approval?.requestReason === description ? undefined : approval?.requestReason;
}

const titles: Readonly<Record<string, string>> = {
  AskUserQuestion: 'Questions',
  EnterPlanMode: 'Start planning',
  ExitPlanMode: 'Plan',
};

/** `mcp__kitchen__pour_coffee` reads better as `pour_coffee (kitchen)`. */
export function titleOf({ title, toolName }: ToolPart): string {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(toolName) ?? [];
  return title ?? titles[toolName] ?? (server && name ? `${name} (${server})` : toolName);
}

const requests: Readonly<Record<string, string>> = {
  Bash: 'Run this command?',
  Edit: 'Edit this file?',
  NotebookEdit: 'Edit this notebook?',
  Read: 'Read this file?',
  WebFetch: 'Open this web page?',
  WebSearch: 'Search the web?',
  Write: 'Write this file?',
};

/** What a person is asked about a call. */
export const requestOf = (part: ToolPart): string => requests[part.toolName] ?? `Use ${titleOf(part)}?`;

/** The questions of an `AskUserQuestion`. */
export function questionsOf({ input }: ToolPart): readonly Question[] {
  const { questions } = (input ?? {}) as { questions?: readonly Question[] };
  return Array.isArray(questions) ? questions : [];
}

export function planOf({ input }: ToolPart): string {
  const { plan } = (input ?? {}) as { plan?: unknown };
  return typeof plan === 'string' ? plan : '';
}

/** What was written so far of an input, or the whole of it. */
export function inputText(part: ToolPart): string {
  if (part.state === 'input-streaming' && part.rawInput !== undefined) return part.rawInput;
  return pretty(part.input);
}

/** The outcome of a call as text: what people read of it first, else all of it. */
export function outputText(output: unknown): string {
  if (typeof output !== 'object' || output === null) return pretty(output);
  const { stdout, stderr, content } = output as { stdout?: unknown; stderr?: unknown; content?: unknown };
  if (typeof stdout === 'string') return [stdout, typeof stderr === 'string' ? stderr : ''].filter(Boolean).join('\n');
  const blocks: readonly { text?: unknown }[] = Array.isArray(content) ? content : [];
  const texts = blocks.flatMap((block) => (typeof block?.text === 'string' ? [block.text] : []));
  if (texts.length > 0) return texts.join('\n');
  return pretty(output);
}

function pretty(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const [only] = entries;
  // A single long text, such as a command, is shown as it is and not with escapes.
  if (entries.length === 1 && typeof only?.[1] === 'string') return only[1];
  return JSON.stringify(value, null, 2);
}

const parentOf = (part: ChatPart): string | undefined => {
  if (isTool(part)) return (part.toolMetadata as { parentToolCallId?: string } | undefined)?.parentToolCallId;
  if (part.type === 'data-subagent-text' || part.type === 'data-subagent-reasoning') return part.data.parentToolCallId;
  return undefined;
};

/** The parts of a message as they are shown: what a subagent did belongs below the call that started it. */
export function nested({ parts }: ChatMessage): {
  readonly roots: readonly ChatPart[];
  readonly children: ReadonlyMap<string, readonly ChatPart[]>;
} {
  const calls = new Set(parts.filter(isTool).map(({ toolCallId }) => toolCallId));
  const children = new Map<string, ChatPart[]>();
  const roots: ChatPart[] = [];
  for (const part of parts) {
    const parent = parentOf(part);
    if (parent === undefined || !calls.has(parent)) roots.push(part);
    else children.set(parent, [...(children.get(parent) ?? []), part]);
  }
  return { roots, children };
}

export const textOf = (message: ChatMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

/** A message as it was before it was sent. */
export const draftOf = (message: ChatMessage): Draft => ({
  text: textOf(message),
  files: message.parts.filter((part) => part.type === 'file'),
});

/** The ids of all messages, with those that joined the turn of another. */
export const idsIn = (messages: readonly ChatMessage[]): ReadonlySet<string> =>
  new Set(
    messages.flatMap(({ id, parts }) => [
      id,
      ...parts.flatMap((part) => (part.type === 'steering-message' ? [part.id] : [])),
    ]),
  );

/** Keeps the earlier messages that are loaded; from where the two lists overlap, those of the server replace the page's. */
export function joined(all: readonly ChatMessage[], latest: readonly ChatMessage[]): ChatMessage[] {
  const from = all.findIndex(({ id }) => id === latest[0]?.id);
  const streamed = new Map(all.map(({ id, metadata }) => [id, metadata]));
  // What a turn took is in its stream alone.
  const whole = latest.map((message) => ({
    ...message,
    metadata: { ...message.metadata, ...streamed.get(message.id) },
  }));
  return [...all.slice(0, Math.max(0, from)), ...whole];
}
