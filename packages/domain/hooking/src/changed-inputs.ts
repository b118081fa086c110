import { isRecord } from '@hexagent/checks';
import type { HookOutput } from '@hexagent/ports';

interface Call {
  changed?: { readonly by: string; readonly mustHold: boolean } | undefined;
}

/** Calls that are remembered. All hooks of a call are called at about the same time. */
const mostCalls = 1000;

/**
 * Sees to it that a change of a call's input is not lost. All hooks of a call get the same input, and of several
 * changes the CLI takes the last that arrives.
 */
export class ChangedInputs {
  readonly #calls = new Map<string, Call>();

  /** Calls a hook, and denies the call where the hook and another one have both changed its input. */
  async during(
    id: string,
    hook: { readonly id: string; readonly mustHold: boolean },
    answering: () => Promise<HookOutput>,
  ): Promise<HookOutput> {
    const call = this.#callOf(id);
    const output = await answering();
    if (!changesInputOf(output)) return output;
    const { changed } = call;
    call.changed ??= { by: hook.id, mustHold: hook.mustHold };
    if (changed === undefined || changed.by === hook.id) return output;
    return changed.mustHold || hook.mustHold ? refusal : output;
  }

  /** The oldest call is dropped for a new one; a hook that runs holds its own. */
  #callOf(id: string): Call {
    const existing = this.#calls.get(id);
    if (existing !== undefined) return existing;
    const call: Call = {};
    this.#calls.set(id, call);
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined && this.#calls.size > mostCalls) this.#calls.delete(oldest);
    return call;
  }
}

const refusal: HookOutput = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason:
      'Two hooks changed the input of this call, of which only one change could hold. Change it in one place: modify(first, second).',
  },
};

/** Reads no getter, since what the output holds is read once, when it is sent: a getter may have a change. */
function changesInputOf(output: unknown): boolean {
  const specific = ownMember(output, 'hookSpecificOutput');
  if (specific?.get !== undefined) return true;
  const changed = ownMember(specific?.value, 'updatedInput');
  return changed?.get !== undefined || (changed?.value !== undefined && changed.value !== null);
}

/** The value of an own member that is not a getter. */
export const memberOf = (value: unknown, name: string): unknown => ownMember(value, name)?.value;

function ownMember(value: unknown, name: string): PropertyDescriptor | undefined {
  if (!isRecord(value)) return undefined;
  try {
    return Reflect.getOwnPropertyDescriptor(value, name);
  } catch {
    return undefined; // a proxy that refuses; the protocol refuses it as well
  }
}
