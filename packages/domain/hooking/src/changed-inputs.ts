import { isRecord, type HookOutput } from '@hexagent/ports';

interface Call {
  /** How many of its hooks are running. */
  open: number;
  changed?: { readonly by: string; readonly mustHold: boolean } | undefined;
}

/** Calls of which it is remembered that their input was changed. Each call has its hooks called at about the same time. */
const mostCalls = 1000;

/**
 * Sees to it that a change of a call's input is not lost. All hooks of a call get the same input, and of several
 * changes the CLI takes the one that arrives last.
 */
export class ChangedInputs {
  readonly #calls = new Map<string, Call>();

  /** Calls a hook, and denies the call where the hook and another one have both changed its input. */
  async during(
    id: string,
    hook: { readonly id: string; readonly mustHold: boolean },
    answering: () => Promise<HookOutput>,
  ): Promise<HookOutput> {
    const call = this.#calls.get(id) ?? { open: 0 };
    this.#calls.set(id, call);
    call.open += 1;
    try {
      const output = await answering();
      if (!changesInputOf(output)) return output;
      const { changed } = call;
      call.changed ??= { by: hook.id, mustHold: hook.mustHold };
      if (changed === undefined || changed.by === hook.id) return output;
      return changed.mustHold || hook.mustHold ? refusal : output;
    } finally {
      call.open -= 1;
      this.#forget();
    }
  }

  /** Forgets the oldest calls that have no hook running. */
  #forget(): void {
    if (this.#calls.size <= mostCalls) return;
    for (const [id, { open }] of this.#calls) {
      if (open === 0) this.#calls.delete(id);
      if (this.#calls.size <= mostCalls) return;
    }
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

/** Reads no getter: what the output holds is read once, when it is sent. */
function changesInputOf(output: unknown): boolean {
  const specific = memberOf(output, 'hookSpecificOutput');
  const changed = memberOf(specific, 'updatedInput');
  return changed !== undefined && changed !== null;
}

/** The value of an own member that is no getter. */
export function memberOf(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined;
  try {
    return Reflect.getOwnPropertyDescriptor(value, name)?.value;
  } catch {
    return undefined; // a proxy that refuses; the protocol refuses it as well
  }
}
