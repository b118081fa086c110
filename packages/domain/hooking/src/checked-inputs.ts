import { errorText, isRecord, jsonCopy, kindOf, shown } from '@hexagent/checks';
import type { HookOutput } from '@hexagent/ports';
import { denied } from './fixed-answers.ts';
import type { HookCall, HookHandler, ToolInput } from './hook-call.ts';
import { marked } from './ready-made-marks.ts';

/** Something of the program's went wrong, so the call does not run. The message is for the model too. */
class Unsafe extends Error {}

/**
 * A hook for PreToolUse: the call runs with what the functions make of its input, each of what the one before it
 * made. It allows nothing: the changed call is decided about as any other. A function returns the whole input,
 * unchanged if there is nothing to change. Where one throws or returns something else, the call is refused; so is a
 * call that two hooks change.
 * @throws {TypeError} for what is not a function.
 */
export function modify(
  ...changes: readonly ((input: ToolInput, call: HookCall<'PreToolUse'>) => Promise<ToolInput> | ToolInput)[]
): HookHandler<'PreToolUse'> {
  refuseOthers('hooks.modify()', changes);
  return guarded('hooks.modify', async (call) => {
    const original = inputOf(call);
    let input = original;
    for (const change of changes) input = inputIn(await change(copyOf(input), call));
    if (JSON.stringify(input) === JSON.stringify(original)) return {};
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: input } };
  });
}

/**
 * A hook for PreToolUse: the call is refused when a function returns a reason, which the model reads, or `false`.
 * Nothing returned, or `true`, lets it continue. Where one throws or returns something else, the call is refused too.
 * @throws {TypeError} for what is not a function.
 */
export function validate(
  ...checks: readonly ((
    input: ToolInput,
    call: HookCall<'PreToolUse'>,
  ) => Promise<string | boolean | undefined | void> | string | boolean | undefined | void)[]
): HookHandler<'PreToolUse'> {
  refuseOthers('hooks.validate()', checks);
  return guarded('hooks.validate', async (call) => {
    const input = inputOf(call);
    for (const check of checks) {
      const reason = reasonIn(await check(copyOf(input), call));
      if (reason !== undefined) return denied(reason);
    }
    return {};
  });
}

/** A failure refuses the call and is reported. Otherwise the call would run with its original input. */
function guarded(
  name: string,
  answer: (call: HookCall<'PreToolUse'>) => Promise<HookOutput<'PreToolUse'>>,
): HookHandler<'PreToolUse'> {
  const hook = async (call: HookCall<'PreToolUse'>): Promise<HookOutput<'PreToolUse'>> => {
    try {
      return await answer(call);
    } catch (error) {
      call.report?.(error);
      const why = error instanceof Unsafe ? error.message : `the function threw: ${errorText(error)}`;
      return denied(`The call was refused, since ${name}() failed: ${why}`);
    }
  };
  return marked(hook, { name, event: 'PreToolUse', isHandler: true, changesInput: name === 'hooks.modify' });
}

function inputOf({ input }: HookCall<'PreToolUse'>): ToolInput {
  if (isRecord(input)) return input;
  throw new Unsafe(`the tool was called with ${kindOf(input)}, and an object is expected.`);
}

/** A function may write into what it is given; the original is needed to see whether anything has changed. */
const copyOf = (input: ToolInput): ToolInput => structuredClone(input);

/** Throws for a value that JSON would change: the tool would run with another input. */
function inputIn(value: unknown): ToolInput {
  if (!isRecord(value))
    throw new Unsafe(`the function returned ${kindOf(value)}, and the tool's whole input is expected, as an object.`);
  const { copy, lost } = jsonCopy(value, { name: 'input', exact: true });
  if (lost !== undefined) throw new Unsafe(lost);
  return copy as ToolInput; // the copy of an object is one
}

function reasonIn(value: unknown): string | undefined {
  if (value === undefined || value === true) return undefined;
  if (value === false) return 'The input of this call is not accepted.';
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new Unsafe(`the function returned ${shown(value)}; a text refuses the call, true or nothing lets it go on.`);
}

function refuseOthers(name: string, functions: readonly unknown[]): void {
  if (functions.length === 0) throw new TypeError(`${name} needs a function.`);
  for (const given of functions)
    if (typeof given !== 'function') throw new TypeError(`${name} takes functions, not ${shown(given)}.`);
}
