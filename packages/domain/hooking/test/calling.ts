import type { HookContext, HookInputOf, HookOutput, HookTable } from '@hexagent/ports';
import { createHooks, HookService, type hooks } from '../src/index.ts';

const base = { session_id: 's1', transcript_path: '/t.jsonl', cwd: '/w' };
export const call = (tool_name = 'Bash', tool_input: unknown = { command: 'ls' }): HookInputOf<'PreToolUse'> => ({
  ...base,
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  tool_use_id: 'toolu_1',
});
export const ran: HookInputOf<'PostToolUse'> = {
  ...call(),
  hook_event_name: 'PostToolUse',
  agent_id: 'a1',
  tool_response: { stdout: 'x' },
  duration_ms: 7,
};

/** What the hooks of a table answer, and what they report. */
export async function asked(
  table: HookTable,
  input: HookInputOf = call(),
): Promise<{ readonly answers: readonly HookOutput[]; readonly reported: readonly unknown[] }> {
  const service = new HookService(table);
  const reported: unknown[] = [];
  const context: HookContext = { signal: new AbortController().signal, report: (error) => void reported.push(error) };
  const matchers = service.registration()?.[input.hook_event_name] ?? [];
  const answers: HookOutput[] = [];
  for (const callback_id of matchers.flatMap(({ hookCallbackIds }) => hookCallbackIds))
    answers.push(await service.dispatch({ callback_id, input, tool_use_id: 'toolu_1' }, context));
  return { answers, reported };
}

export type Hook = ReturnType<typeof hooks.deny>;
export const before = (...list: readonly Hook[]): HookTable =>
  list.reduce((set, hook) => set.on('PreToolUse', hook), createHooks());
export const denial = (reason: unknown): HookOutput => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason as string,
  },
});
export const changed = (updatedInput: Readonly<Record<string, unknown>>): HookOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput },
});
/** A function of a program without types. */
export const untyped = (value: unknown): never => value as never;
