import type { ControlRequest } from './frames.ts';
import type { HostContext } from './host-context.ts';
import type { HookRequest } from './hooks.ts';
import type { DialogAnswer, DialogRequest, ElicitationAnswer, ElicitationRequest } from './interaction.ts';
import type { JsonRpcMessage } from './mcp.ts';
import type { PermissionRequest } from './permissions.ts';
import type { HookOutput } from './vocabulary/hook-outputs.ts';
import type { PermissionAnswer } from './vocabulary/permission-values.ts';

/** The requests of the agent to the program, each with its answer, by subtype. `null` means that it is answered elsewhere. */
export interface AgentRequests {
  /** May this tool run? */
  readonly can_use_tool: Asked<PermissionRequest, PermissionAnswer | null>;
  /** An event that a hook was registered for. */
  readonly hook_callback: Asked<HookRequest, HookOutput>;
  /** A message to an in-process server; a notification has no reply. `null`, not a promise of it, means that there is no such server. */
  readonly mcp_message: Asked<ServerMessage, JsonRpcMessage | undefined>;
  /** An MCP server that the CLI dialled asks the user. */
  readonly elicitation: Asked<ElicitationRequest, ElicitationAnswer | null>;
  readonly request_user_dialog: Asked<DialogRequest, DialogAnswer | null>;
}

/** A message of the agent to an in-process server, and the name of that server. */
export interface ServerMessage {
  readonly server_name: string;
  readonly message: JsonRpcMessage;
}

interface Asked<Request, Answer> {
  readonly request: Request;
  readonly answer: Answer;
}

/** The subtypes of requests of the agent that this version handles. */
export type AgentRequestSubtype = keyof AgentRequests;

/**
 * Answers requests of the agent, by subtype. The protocol refuses requests without a handler, checks what a handler answers,
 * and turns what it throws into an answer that the agent understands. Called without `this`.
 */
export type RequestHandlers = {
  readonly [Subtype in AgentRequestSubtype]?:
    | ((
        request: AgentRequests[Subtype]['request'],
        context: HostContext,
      ) => Promise<AgentRequests[Subtype]['answer']> | (Subtype extends 'mcp_message' ? null : never))
    | undefined;
};

/**
 * Answers requests that {@link AgentRequests} does not name, such as those of a newer agent. Nothing is checked but that
 * the answer is an object; `null` means that it is answered elsewhere.
 */
export type UntypedHandlers = Readonly<
  Record<string, (request: ControlRequest, context: HostContext) => Promise<Readonly<Record<string, unknown>> | null>>
>;
