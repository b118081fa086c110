import { errorText, isRecord, jsonCopy } from '@hexagent/checks';
import type {
  HookDispatcher,
  HookInputOf,
  HookMatcher,
  HookOutput,
  HookSpecificOutputOf,
  HookTable,
} from '@hexagent/ports';
import type { PermissionPolicy, PolicyDecision } from './permission-policy.ts';

interface HookedCall extends Pick<HookInputOf<'PreToolUse'>, 'tool_name' | 'cwd'> {
  readonly id: string | undefined;
}

/** The hooks of a program with that of the policy before them, which the agent calls for every call in every mode. */
export function withPolicy(policy: PermissionPolicy, table: HookTable = {}): HookTable {
  const own: HookMatcher<'PreToolUse'> = {
    hooks: [
      (input, id) => {
        const decided = judged(policy, { ...input, id }, input.tool_input);
        return decided && preToolUse(decided);
      },
    ],
    onFailure: 'block',
  };
  return { ...table, PreToolUse: [own, ...(table.PreToolUse ?? [])] };
}

/**
 * Holds what hooks answer to the policy: the agent checks the original input only, and a hook may still run while the
 * policy changes.
 */
export function heldToPolicy(policy: PermissionPolicy, dispatcher: HookDispatcher): HookDispatcher {
  return {
    registration: () => dispatcher.registration(),
    async dispatch(request, context) {
      const { input } = request;
      const { hook_event_name: event } = input;
      if (event !== 'PreToolUse' && event !== 'PermissionRequest') return await dispatcher.dispatch(request, context);
      // A copy, since a hook may change the input that it receives, and the agent runs the original.
      const call = { ...input, id: request.tool_use_id };
      const original = isRecord(input.tool_input) ? { ...input.tool_input } : input.tool_input;
      const { version } = policy;
      const output = await dispatcher.dispatch(request, context);
      const isLate = event === 'PermissionRequest' || policy.version !== version;
      return held(output, event, {
        original: isLate ? () => judged(policy, call, original) : () => undefined,
        changed: (changed) => judged(policy, call, changed),
      });
    },
  };
}

/** The denial or request that the policy demands, if any. A call about which the policy cannot decide is denied. */
function judged(
  policy: PermissionPolicy,
  { id, tool_name: tool, cwd }: HookedCall,
  input: unknown,
): PolicyDecision | undefined {
  try {
    const decided = policy.decide({ id, tool, input: isRecord(input) ? input : {}, cwd });
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
    // The approver receives the input that would run.
    ...(updatedInput && decision === 'ask' && { updatedInput }),
  };
  return { hookSpecificOutput };
}

interface Judge {
  readonly original: () => PolicyDecision | undefined;
  readonly changed: (input: unknown) => PolicyDecision | undefined;
}

type Event = 'PreToolUse' | 'PermissionRequest';

/** The answer of a hook, unless the policy forbids its result. What was checked is what is sent. */
function held(output: HookOutput, event: Event, judge: Judge): HookOutput {
  if (!isRecord(output)) return output; // the protocol refuses it
  const { copy, lost } = jsonCopy(output, { name: 'answer', exact: true });
  if (lost !== undefined) return unreadable(lost);
  const read = copy as HookOutput; // the same, but that every getter was read
  const answer = answerIn(read, event);
  if (answer === undefined) return read;
  const against = answer.input === undefined ? judge.original() : judge.changed(answer.input);
  // A refusal is at least as strict as a request for permission.
  if (against === undefined || (answer.isRefusal && against.decision !== 'deny')) return read;
  if (event === 'PreToolUse') return preToolUse(against, answer.input);
  // The request for permission is already the question about the original input.
  if (answer.isRefusal || (answer.input === undefined && against.decision !== 'deny')) return read;
  return {
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: against.why } },
  };
}

interface Answer {
  readonly isRefusal: boolean;
  /** The changed input. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
}

/** An answer that the protocol refuses with the reason. Otherwise the protocol might read an answer that was not judged. */
function unreadable(why: string): HookOutput {
  return {
    get hookSpecificOutput(): never {
      throw new TypeError(why);
    },
  };
}

/** `undefined` for what the protocol refuses, and for what leaves the permission to others. */
function answerIn(output: HookOutput, event: Event): Answer | undefined {
  const specific: unknown = Reflect.get(output, 'hookSpecificOutput') ?? { hookEventName: event };
  if (!isRecord(specific) || specific['hookEventName'] !== event) return undefined;
  const { permissionDecision, updatedInput, decision } = specific;
  if (event === 'PreToolUse') return { isRefusal: refuses(output, permissionDecision), input: inputIn(updatedInput) };
  if (!isRecord(decision)) return undefined;
  return { isRefusal: decision['behavior'] !== 'allow', input: inputIn(decision['updatedInput']) };
}

const refuses = (output: HookOutput, decision: unknown): boolean =>
  decision === 'deny' || decision === 'defer' || Reflect.get(output, 'decision') === 'block';

const inputIn = (input: unknown): Answer['input'] => (isRecord(input) ? input : undefined);
