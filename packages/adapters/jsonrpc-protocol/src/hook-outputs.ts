import { isRecord, kindAndKeys } from '@hexagent/checks';
import type { Payload } from './call.ts';
import { isEmpty, misspeltIn } from './misspelt.ts';

type IsAccepted = (value: unknown) => boolean;

/** A field that the agent checks. */
interface Field {
  readonly name: string;
  readonly isAccepted: IsAccepted;
}

const isFlag: IsAccepted = (value) => typeof value === 'boolean';
const isText: IsAccepted = (value) => typeof value === 'string';
const isOneOf =
  (...texts: readonly string[]): IsAccepted =>
  (value) =>
    typeof value === 'string' && texts.includes(value);

/** A list, since each answer is compared with all of it. */
const fields = (checks: Readonly<Record<string, IsAccepted>>): readonly Field[] =>
  Object.entries(checks).map(([name, isAccepted]) => ({ name, isAccepted }));

/** Fields of any event, by what the agent accepts there. */
const common = fields({
  continue: isFlag,
  decision: isOneOf('approve', 'block'),
  reason: isText,
  stopReason: isText,
  systemMessage: isText,
  suppressOutput: isFlag,
  terminalSequence: isText,
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
  UserPromptSubmit: fields({ additionalContext: isText, sessionTitle: isText, suppressOriginalPrompt: isFlag }),
  UserPromptExpansion: fields({ additionalContext: isText, suppressOriginalPrompt: isFlag }),
  PreCompact: [],
  PreModelSwitch: fields({
    permissionDecision: isOneOf('allow', 'deny', 'ask'),
    permissionDecisionReason: isText,
  }),
};

/** The same for an answer that replaces what a tool returned; other answers to this event prevent nothing. */
const ofChangedOutput = fields({ additionalContext: isText, classifierContext: isText });

/** Fields that the agent reads only inside `hookSpecificOutput`, for the events of a tool that is about to run. */
const misplaced: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'behavior'],
  PermissionRequest: ['behavior', 'updatedInput'],
  PreModelSwitch: ['permissionDecision', 'permissionDecisionReason', 'behavior'],
};

/** The names of all fields of any event, those that need no check among them. */
const commonNames = [...common.map(({ name }) => name), ...['async', 'asyncTimeout']];

/** Events whose answer the agent must be able to use: taken for an empty one, it would let something happen. */
export function mayPrevent(event: string): boolean {
  return Object.hasOwn(specifics, event);
}

/** An event of a newer agent may have any name. */
function fieldsOf(output: Payload, event: string): readonly Field[] | undefined {
  if (event === 'PostToolUse' && replacesOutput(output['hookSpecificOutput'])) return ofChangedOutput;
  return Object.hasOwn(specifics, event) ? specifics[event] : undefined;
}

const replacements = ['updatedToolOutput', 'updatedMCPToolOutput'];

/** Whether the part of an answer that depends on the event replaces what a tool returned. */
export const replacesOutput = (specific: unknown): boolean =>
  typeof specific === 'object' && specific !== null && replacements.some((name) => name in specific);

/**
 * Removes known fields that are `null`, for which the agent would refuse the whole answer; their author means no value. A
 * changed input stays, unless the call is denied: without it, the original would run.
 */
export function withoutNulls(output: Payload, event: string): Payload {
  const own = fieldsOf(output, event);
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
  const own = fieldsOf(output, event);
  if (own === undefined) return undefined;
  if (output['async'] === true)
    return isMeantToPrevent(output)
      ? '`async` is true, so the agent does not wait, and reads nothing else of the answer.'
      : undefined;
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
  const names = [...own.map(({ name }) => name), ...unchecked];
  return wrongWithName(specific, names, 'hookSpecificOutput.') ?? wrongWithFields(specific, own, 'hookSpecificOutput.');
}

/** Fields of `hookSpecificOutput` that need no check. */
const unchecked = ['hookEventName', ...replacements];

/** Whether the answer would deny, block or change something if the agent read it. */
function isMeantToPrevent({ continue: goesOn, decision, hookSpecificOutput: specific }: Payload): boolean {
  if (goesOn === false || isOther(decision, 'approve')) return true;
  if (!isRecord(specific)) return false;
  const { permissionDecision, decision: own, updatedInput } = specific;
  const behavior = isRecord(own) ? own['behavior'] : own;
  return (
    [permissionDecision, behavior].some((given) => isOther(given, 'allow')) ||
    isThere(updatedInput) ||
    replacesOutput(specific)
  );
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;
const isOther = (value: unknown, text: string): boolean => isThere(value) && value !== text;

/** The agent ignores a field whose name is misspelt. A name that resembles no other may belong to a newer agent. */
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
  const { behavior, message, interrupt, updatedInput } = value;
  if (behavior === 'deny')
    return (message === undefined || isText(message)) && (interrupt === undefined || isFlag(interrupt));
  return behavior === 'allow' && (updatedInput === undefined || isRecord(updatedInput));
}

/** An empty input does not count: the agent runs the original, unless that is empty as well. */
function emptiesInput({ decision }: Payload, original: unknown): boolean {
  const changed = isRecord(decision) ? decision['updatedInput'] : undefined;
  return isRecord(changed) && isEmpty(changed) && !(isRecord(original) && isEmpty(original));
}

const show = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : kindAndKeys(value);
