import { kindOf } from '@hexagent/checks';
import type { HookContext, HookInput } from '@hexagent/ports';
import { attempt, notify } from '@hexagent/async';
import type { HookCall, HookHandler } from './hook-call.ts';
import { createHooks, type HookSet } from './hook-set.ts';
import { marked } from './ready-made-marks.ts';

/** A record of an audit about a call of a tool, made before it runs, and again when it has ended. */
export interface AuditRecord {
  /** `called` before it runs. A call that neither `ran` nor `failed` afterwards was refused or interrupted. */
  readonly outcome: 'called' | 'ran' | 'failed';
  /** The name of the tool, as the agent spells it. */
  readonly tool: string;
  /** The input that the model asked for, with `called`; afterwards the input of the call that ran. */
  readonly input: unknown;
  /** The same for all records of a call. */
  readonly toolUseId: string;
  /** The id under which the agent stores the session. */
  readonly sessionId: string;
  /** Set when a subagent calls. */
  readonly agentId?: string;
  /** The response of the tool, with `ran`. */
  readonly response?: unknown;
  /** Why it failed, with `failed`. */
  readonly error?: string;
  /** How long the tool ran, with `ran` and `failed`, if the agent reports it. */
  readonly durationMs?: number;
}

/**
 * A hook for any event: passes what the agent sent to the sink. The agent does not wait for the sink; what it throws or rejects
 * with is reported and stops nothing.
 * @throws {TypeError} for what is not a function.
 */
export function log(sink: (request: HookInput) => unknown): HookHandler {
  refuseOther('hooks.log()', sink);
  return marked((call: HookCall) => pass(call.request, sink, call), { name: 'hooks.log', isHandler: true });
}

/**
 * A set of hooks that passes each call of a tool to the sink, before and after it runs. The agent does not wait for
 * the sink; what it throws or rejects with is reported and stops nothing.
 * @throws {TypeError} for what is not a function.
 */
export function audit(sink: (record: AuditRecord) => unknown): HookSet {
  refuseOther('hooks.audit()', sink);
  return createHooks()
    .on('PreToolUse', (call) => pass(recordOf('called', call), sink, call))
    .on('PostToolUse', (call) => {
      const { tool_response: response } = call.request;
      return pass({ ...recordOf('ran', call), response, ...durationOf(call.request) }, sink, call);
    })
    .on('PostToolUseFailure', (call) => {
      const { error } = call.request;
      return pass({ ...recordOf('failed', call), error, ...durationOf(call.request) }, sink, call);
    });
}

/** Without a `report`, the hook itself fails, so that the agent reports it. */
function pass<Value>(
  value: Value,
  sink: (value: Value) => unknown,
  { report }: Pick<HookContext, 'report'>,
): Promise<void> | void {
  if (report === undefined) return attempt(() => sink(value)).then(() => {});
  notify(() => sink(value), report);
}

type AboutCall = HookCall<'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure'>;

function recordOf(outcome: AuditRecord['outcome'], { tool, input, request }: AboutCall): AuditRecord {
  return {
    outcome,
    tool,
    input,
    toolUseId: request.tool_use_id,
    sessionId: request.session_id,
    ...(request.agent_id === undefined ? {} : { agentId: request.agent_id }),
  };
}

const durationOf = ({ duration_ms: durationMs }: { readonly duration_ms?: number }): Pick<AuditRecord, 'durationMs'> =>
  durationMs === undefined ? {} : { durationMs };

function refuseOther(name: string, sink: unknown): void {
  if (typeof sink !== 'function')
    throw new TypeError(`${name} needs a sink: a function that receives each value, not ${kindOf(sink)}.`);
}
