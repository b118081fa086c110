import { isRecord } from '@hexagent/checks';
import type {
  DialogHost,
  ElicitationAnswer,
  Elicitor,
  PermissionContext,
  PermissionGate,
  PermissionRequest,
} from '@hexagent/ports';
import { attempt } from '@hexagent/async';
import type { OnElicitation, OnUserDialog } from './types/interaction.ts';
import type { CanUseTool } from './types/permissions.ts';

/*
 * The program's callbacks, in the official spelling, as what the engine calls.
 */

type CallContext = Parameters<CanUseTool>[2];

/** Asks the callback; its throw reaches the agent as an error, which denies. */
export function decideBy(canUseTool: CanUseTool): PermissionGate['decide'] {
  // A copy: what the agent sent is not the program's to change.
  return (request, context) =>
    attempt(() => canUseTool(request.tool_name, { ...request.input }, toCallContext(request, context)));
}

function toCallContext(request: PermissionRequest, context: PermissionContext): CallContext {
  const { matched_ask_rule: rule, mcp_server: server } = request;
  // In the form of the wire: the updates that the agent suggests are sent back unchanged.
  const suggestions = request.permission_suggestions as CallContext['suggestions'];
  const fields = withoutAbsent({
    requestId: context.requestId,
    toolUseID: request.tool_use_id,
    agentID: request.agent_id,
    suggestions,
    blockedPath: request.blocked_path,
    mcpServer: server && { name: server.name, source: server.source },
    decisionReason: request.decision_reason,
    // The official package passes these on without a type, each only where it has the right form.
    decisionReasonType: only('string', request.decision_reason_type),
    decisionReasonCode: only('string', request.decision_reason_code),
    serverPolicyAskOnly: only('boolean', request.server_policy_ask_only),
    plugin: only('string', request.plugin),
    requiresUserInteraction: only('boolean', request.requires_user_interaction),
    serverPrompt: only('string', request.server_prompt),
    computerFolder: computerFolderOf(request),
    title: request.title,
    displayName: request.display_name,
    description: request.description,
    defaultToNo: request.default_to_no,
    suppressAlwaysAllowRule: request.suppress_always_allow_rule,
    matchedAskRule:
      rule && withoutAbsent({ source: rule.source, toolName: rule.tool_name, ruleContent: rule.rule_content }),
  });
  // Node makes a signal when it is read: with one for each call, permissions miss their bound of time.
  const signal = { get: () => context.signal, enumerable: true, configurable: true };
  return Object.defineProperty(fields as CallContext, 'signal', signal);
}

/** The value, if it has that type: the wire may carry anything. */
function only<T>(type: 'string' | 'boolean', value: T): T | undefined {
  return typeof value === type ? value : undefined;
}

function computerFolderOf({ computer_folder: folder }: PermissionRequest): object | undefined {
  if (!isRecord(folder)) return undefined;
  const { path, computer_name } = folder;
  return typeof path === 'string' && typeof computer_name === 'string' ? { path, computer_name } : undefined;
}

/** Asks the callback, as MCP servers that the CLI dialled ask it. */
export function elicitorOf(onElicitation: OnElicitation): Elicitor {
  return {
    async elicit(request, { signal, requestId }) {
      const asked = withoutAbsent({
        serverName: request.mcp_server_name,
        message: request.message,
        mode: request.mode,
        url: request.url,
        elicitationId: request.elicitation_id,
        requestedSchema: request.requested_schema,
        title: request.title,
        displayName: request.display_name,
        description: request.description,
      });
      const answer: ElicitationAnswer | null = await onElicitation(asked, { signal, requestId });
      return answer;
    },
  };
}

export function dialogsOf(onUserDialog: OnUserDialog): DialogHost {
  return {
    show(request, { signal, requestId }) {
      const { dialog_kind: dialogKind, tool_use_id: id } = request;
      const toolUseID = typeof id === 'string' ? id : undefined;
      // As the agent sent it, which may have left it out.
      const payload = request.payload as Record<string, unknown>;
      return onUserDialog(Object.assign({ payload }, withoutAbsent({ dialogKind, toolUseID })), { signal, requestId });
    },
  };
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out what is `undefined`: callbacks are given the fields that the agent gave. */
function withoutAbsent<T extends object>(fields: T): Present<T> {
  const present: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) present[name] = fields[name];
  // Only undefined values were removed, and in `Present` those may be missing.
  return present as Present<T>;
}
