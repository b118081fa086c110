import { isRecord, kindAndKeys } from '@hexagent/ports';
import type { Payload } from './call.ts';
import { misspeltIn } from './misspelt.ts';
import { isEmpty } from './is-empty.ts';

type IsAccepted = (value: unknown) => boolean;

/** A field that the agent checks. */
interface Field {
  readonly name: string;
  readonly isAccepted: IsAccepted;
}

const isText: IsAccepted = (value) => typeof value === 'string';
const isOneOf =
  (...texts: readonly string[]): IsAccepted =>
  (value) =>
    typeof value === 'string' && texts.includes(value);

/** A list, since each answer is held against all of it. */
const fields = (checks: Readonly<Record<string, IsAccepted>>): readonly Field[] =>
  Object.entries(checks).map(([name, isAccepted]) => ({ name, isAccepted }));

/** Fields of any event, by what the agent accepts there. */
const common = fields({
  continue: (value) => typeof value === 'boolean',
  decision: isOneOf('approve', 'block'),
  reason: isText,
  stopReason: isText,
  systemMessage: isText,
  hookSpecificOutput: isRecord,
});

/** Fields of `hookSpecificOutput`, for the events that may prevent something. */
const specifics: Readonly<Record<string, readonly Field[]>> = {
  PreToolUse: fields({
    permissionDecision: isOneOf('allow', 'deny', 'ask', 'defer'),
    permissionDecisionReason: isText,
    updatedInput: isRecord,
    additionalContext: isText,
  }),
  PermissionRequest: fields({ decision: isDecision }),
  UserPromptSubmit: fields({ additionalContext: isText }),
};

/** Fields that the agent reads only inside `hookSpecificOutput`, for the events of a tool that is about to run. */
const misplaced: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'behavior'],
  PermissionRequest: ['behavior', 'updatedInput'],
};

/** The names of all fields of any event, those that need no check among them. */
const commonNames = [
  ...common.map(({ name }) => name),
  ...['suppressOutput', 'terminalSequence', 'async', 'asyncTimeout'],
];

/** Events whose answer the agent must be able to use: taken for an empty one, it would let something happen. */
export function mayPrevent(event: string): boolean {
  return fieldsOf(event) !== undefined;
}

/** An event of a newer agent may have any name. */
const fieldsOf = (event: string): readonly Field[] | undefined =>
  Object.hasOwn(specifics, event) ? specifics[event] : undefined;

/**
 * A known field that is `null` would make the agent refuse the whole answer; its author means that there is none. A
 * changed input stays, unless the call is denied: left out, the original would run.
 */
export function withoutNulls(output: Payload, event: string): Payload {
  const own = fieldsOf(event);
  if (own === undefined) return output;
  const kept = withoutNullsOf(output, common);
  const specific = kept['hookSpecificOutput'];
  if (!isRecord(specific)) return kept;
  const droppable = specific['permissionDecision'] === 'deny' ? own : own.filter(({ name }) => name !== 'updatedInput');
  return { ...kept, hookSpecificOutput: withoutNullsOf(specific, droppable) };
}

function withoutNullsOf(record: Payload, droppable: readonly Field[]): Payload {
  const dropped = droppable.filter(({ name }) => record[name] === null);
  if (dropped.length === 0) return record;
  return Object.fromEntries(Object.entries(record).filter(([key]) => !dropped.some(({ name }) => name === key)));
}

/** Returns what makes the agent take the whole answer for an empty one, or which field it does not read. */
export function wrongWithOutput(output: Payload, event: string, originalInput?: unknown): string | undefined {
  const own = fieldsOf(event);
  if (own === undefined || output['async'] === true) return undefined;
  const lost = misplaced[event]?.find((name) => output[name] !== undefined);
  if (lost !== undefined) return `\`${lost}\` belongs into \`hookSpecificOutput\`, beside \`hookEventName\`.`;
  const specific = output['hookSpecificOutput'];
  const wrong =
    wrongWithName(output, commonNames, '') ??
    wrongWithFields(output, common, '') ??
    (isRecord(specific) ? wrongWithSpecific(specific, own, event) : undefined);
  if (wrong !== undefined || event !== 'PermissionRequest' || !isRecord(specific)) return wrong;
  return emptiesInput(specific, originalInput) ? '`hookSpecificOutput.decision.updatedInput` is empty.' : undefined;
}

function wrongWithSpecific(specific: Payload, own: readonly Field[], event: string): string | undefined {
  const { hookEventName } = specific;
  if (hookEventName !== event)
    return `\`hookSpecificOutput.hookEventName\` is ${show(hookEventName)}; it must be "${event}".`;
  const names = [...own.map(({ name }) => name), ...unchecked(event)];
  return wrongWithName(specific, names, 'hookSpecificOutput.') ?? wrongWithFields(specific, own, 'hookSpecificOutput.');
}

/** Fields of `hookSpecificOutput` that need no check. */
const unchecked = (event: string): readonly string[] =>
  event === 'UserPromptSubmit' ? ['hookEventName', 'sessionTitle', 'suppressOriginalPrompt'] : ['hookEventName'];

/** The agent ignores a field whose name is misspelt. One that resembles none may be known to a newer agent. */
function wrongWithName(record: Payload, known: readonly string[], path: string): string | undefined {
  const found = misspeltIn(record, known);
  return found && `\`${path}${found.name.slice(0, 40)}\` is not known. Did you mean \`${found.meant}\`?`;
}

function wrongWithFields(record: Payload, accepted: readonly Field[], path: string): string | undefined {
  for (const { name, isAccepted } of accepted) {
    const value = record[name];
    if (value !== undefined && !isAccepted(value)) return `\`${path}${name}\` is ${show(value)}.`;
  }
  return undefined;
}

function isDecision(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value['behavior'] === 'deny') return value['message'] === undefined || isText(value['message']);
  return value['behavior'] === 'allow' && (value['updatedInput'] === undefined || isRecord(value['updatedInput']));
}

/** An empty input counts as none: the agent runs the original, unless that is empty as well. */
function emptiesInput({ decision }: Payload, original: unknown): boolean {
  const changed = isRecord(decision) ? decision['updatedInput'] : undefined;
  return isRecord(changed) && isEmpty(changed) && !(isRecord(original) && isEmpty(original));
}

const show = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : kindAndKeys(value);
