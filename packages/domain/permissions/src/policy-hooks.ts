import {
  errorText,
  isRecord,
  jsonCopy,
  type HookDispatcher,
  type HookInputOf,
  type HookMatcher,
  type HookOutput,
  type HookSpecificOutputOf,
  type HookTable,
} from '@hexagent/ports';
import type { PermissionPolicy, PolicyDecision } from './permission-policy.ts';

type ToolHookInput = Pick<HookInputOf<'PreToolUse'>, 'tool_name' | 'tool_input' | 'cwd'>;

/** The hooks of a program with that of the policy before them, which the agent calls for every call in every mode. */
export function withPolicy(policy: PermissionPolicy, table: HookTable = {}): HookTable {
  const own: HookMatcher<'PreToolUse'> = {
    hooks: [
      (input) => {
        const decided = judged(policy, input, input.tool_input);
        return decided && preToolUse(decided);
      },
    ],
    onFailure: 'block',
  };
  return { ...table, PreToolUse: [own, ...(table.PreToolUse ?? [])] };
}

/** Holds what hooks make of an input to the policy: the agent looks at the original only. */
export function heldToPolicy(policy: PermissionPolicy, dispatcher: HookDispatcher): HookDispatcher {
  return {
    registration: () => dispatcher.registration(),
    async dispatch(request, context) {
      const { input } = request;
      const output = await dispatcher.dispatch(request, context);
      if (input.hook_event_name !== 'PreToolUse' && input.hook_event_name !== 'PermissionRequest') return output;
      return held(output, (changed) => judged(policy, input, changed));
    },
  };
}

/** What keeps the call from running unasked. A call about which the policy cannot decide is denied. */
function judged(
  policy: PermissionPolicy,
  { tool_name: tool, cwd }: ToolHookInput,
  input: unknown,
): PolicyDecision | undefined {
  try {
    const decided = policy.decide({ tool, input: isRecord(input) ? input : {}, cwd });
    const narrows = decided.decision === 'deny' || (decided.by.kind === 'rule' && decided.by.list === 'ask');
    return narrows ? decided : undefined;
  } catch (error) {
    const why = `${tool} is denied: the policy failed to decide about it. ${errorText(error)}`;
    return { decision: 'deny', by: { kind: 'nothing' }, why };
  }
}

type PreToolUseOutput = HookSpecificOutputOf<'PreToolUse'>;

function preToolUse(
  decided: PolicyDecision,
  updatedInput?: PreToolUseOutput['updatedInput'],
): HookOutput<'PreToolUse'> {
  const decision = decided.decision === 'deny' ? 'deny' : 'ask';
  const hookSpecificOutput: PreToolUseOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: decision,
    permissionDecisionReason: decided.why,
    // The approver is asked about the input that would run.
    ...(updatedInput && decision === 'ask' && { updatedInput }),
  };
  return { hookSpecificOutput };
}

/** The answer of a hook, unless the policy is against what it makes of the input. What was judged is what is sent. */
function held(output: HookOutput, judge: (input: unknown) => PolicyDecision | undefined): HookOutput {
  if (!isRecord(output)) return output; // the protocol refuses it
  const { copy, lost } = jsonCopy(output, { name: 'answer', exact: true });
  if (lost !== undefined) return unreadable(lost);
  const read = copy as HookOutput; // the same, but that every getter was read
  const change = changeIn(read);
  const against = change && judge(change.input);
  if (change === undefined || against === undefined) return read;
  if (change.event === 'PreToolUse') return preToolUse(against, change.input);
  return {
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: against.why } },
  };
}

interface Change {
  readonly event: 'PreToolUse' | 'PermissionRequest';
  readonly input: Readonly<Record<string, unknown>>;
}

/** An answer that the protocol refuses with the reason. It could be read by the protocol, and without having been judged. */
function unreadable(why: string): HookOutput {
  return {
    get hookSpecificOutput(): never {
      throw new TypeError(why);
    },
  };
}

function changeIn(output: HookOutput): Change | undefined {
  const specific: unknown = Reflect.get(output, 'hookSpecificOutput');
  if (!isRecord(specific)) return undefined;
  const { hookEventName: event, updatedInput, decision } = specific;
  if (event === 'PreToolUse') return isRecord(updatedInput) ? { event, input: updatedInput } : undefined;
  if (event !== 'PermissionRequest' || !isRecord(decision)) return undefined;
  const { updatedInput: input } = decision;
  return isRecord(input) ? { event, input } : undefined;
}
