import { errorText } from '@hexagent/checks';
import type { ReceivedFrame } from '../wire.ts';
import { initializeAnswer, model } from './facts.ts';
import type { ScriptedConversation } from './conversation.ts';
import type { HostedServers } from './hosted-servers.ts';
import type { RegisteredHooks } from './hooks.ts';
import type { MessageQueue } from './message-queue.ts';
import type { AgentRequests } from './requests.ts';
import type { AgentScript } from './script.ts';
import type { Session } from './session.ts';
import type { BackgroundTasks } from './tasks.ts';

export interface ControlParts {
  readonly session: Session;
  readonly requests: AgentRequests;
  readonly hooks: RegisteredHooks;
  readonly servers: HostedServers;
  readonly tasks: BackgroundTasks;
  readonly queue: MessageQueue;
  readonly script: AgentScript;
  readonly conversation: ScriptedConversation;
}

type Fields = Readonly<Record<string, unknown>>;
type Payload = Fields | undefined;

const modes = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'plan'];

/** Answers the host's control requests. Recordings 18-more-control-requests, 20-control-requests-all-query-methods. */
export class Controls {
  readonly #parts: ControlParts;
  #initialized = false;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  /** Resolves with the work that is left before the first turn. Recording 13-mcp-raw-handshake. */
  async initialize({ request_id, request }: ReceivedFrame): Promise<() => Promise<void>> {
    const { hooks, servers, requests, session, script } = this.#parts;
    if (script.controls?.['initialize']) {
      this.#answerByScript(script.controls['initialize'], request_id, request ?? {});
      return () => Promise.resolve();
    }
    hooks.register(request?.['hooks']);
    // Fields of `initialize` in the form of recording 12-mcp-sdk-server-tools.
    const names = (request?.['sdkMcpServers'] ?? []) as readonly string[];
    const greeted = await servers.greet(names, (request?.['sdkMcpServerManifests'] ?? {}) as Fields);
    const pending_permission_requests = requests.pending('can_use_tool');
    const pending_user_dialog_requests = requests.pending('request_user_dialog');
    const response = { ...initializeAnswer, current_permission_mode: session.permissionMode, ...script.initialize };
    session.raw({
      type: 'control_response',
      response: { subtype: 'success', request_id, response, pending_permission_requests, pending_user_dialog_requests },
    });
    // Recordings 16-initialize-late-and-twice, 90-permission-never-answered.
    if (this.#initialized || this.#parts.conversation.begun) this.#parts.tasks.report();
    this.#initialized = true;
    return greeted;
  }

  answer({ request_id, request }: ReceivedFrame): void {
    const fields: Fields = request ?? {};
    const subtype = request?.subtype ?? '';
    const scripted = this.#parts.script.controls?.[subtype];
    if (scripted) return this.#answerByScript(scripted, request_id, fields);
    const builtIn = this.#builtIn[subtype];
    if (builtIn)
      return builtIn(
        fields,
        (payload) => this.#succeed(request_id, payload),
        (error, code) => this.#fail(request_id, error, code),
      );
    this.#fail(request_id, `Unsupported control request subtype: ${subtype}`, 'unsupported_request');
  }

  readonly #builtIn: Readonly<Record<string, BuiltIn>> = {
    interrupt: (fields, succeed) => this.#interrupt(fields, succeed),
    set_permission_mode: ({ mode }, succeed, fail) => {
      if (!modes.includes(String(mode)))
        return fail(`Cannot set permission mode: must be one of ${modes.join(', ')}`, 'invalid_mode');
      this.#parts.session.permissionMode = String(mode);
      succeed({ mode });
      this.#parts.session.status({ status: null, permissionMode: mode });
    },
    set_model: ({ model: requested = model }, succeed) => {
      const { session } = this.#parts;
      session.model = String(requested);
      const content = `<local-command-stdout>Set model to \`${session.model}\`</local-command-stdout>`;
      session.write({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isReplay: true });
      succeed({ model: session.model });
    },
    set_max_thinking_tokens: (_, succeed) => succeed(),
    apply_flag_settings: (_, succeed) => succeed(),
    list_permission_rules: (_, succeed) =>
      succeed({ state: { rules: [], workspaceDirectories: [], originalCwd: '', managedOnly: false } }),
    update_settings: (_, succeed) => succeed({}),
    background_tasks: (_, succeed) => succeed({}),
    mcp_status: (_, succeed) => succeed({ mcpServers: this.#parts.session.servers }),
    stop_task: ({ task_id }, succeed) => {
      const { tasks, conversation } = this.#parts;
      const before = tasks.size;
      tasks.stop(String(task_id));
      succeed({});
      // Recordings 54-background-bash-stop-task, h-two-shells-stop-one.
      if (before > 0 && tasks.size === 0) conversation.reportIdle();
    },
    cancel_async_message: ({ message_uuid }, succeed) => {
      const { queue, session } = this.#parts;
      const message = queue.remove(String(message_uuid));
      if (message === undefined) return succeed({ cancelled: false });
      session.lifecycle(message, 'cancelled');
      succeed({ cancelled: true, message_uuid });
    },
    mcp_message: ({ server_name, message }, succeed) => {
      succeed();
      // A JSON-RPC message, in the form of recording 13-mcp-raw-handshake.
      const { method } = message as { readonly method?: string };
      if (method === 'notifications/tools/list_changed') void this.#parts.servers.listTools(String(server_name));
    },
    end_session: (_, succeed) => {
      succeed();
      this.#parts.conversation.endSession();
    },
  };

  /** Recordings 21, 74, 75-interrupt-cancel-queued, h-interrupt-idle-with-shell. */
  #interrupt({ cancel_queued }: Fields, succeed: (payload?: Payload) => void): void {
    const { queue, session, requests, conversation, tasks } = this.#parts;
    requests.withdraw();
    const cancelled = cancel_queued === true ? queue.clear() : [];
    for (const message of cancelled) session.lifecycle(message, 'cancelled');
    const still_queued = queue.uuids;
    succeed(
      cancel_queued === true
        ? { still_queued, cancelled: cancelled.flatMap(({ uuid }) => uuid ?? []) }
        : { still_queued },
    );
    conversation.interrupt();
    if (tasks.size > 0) conversation.reportIdle();
  }

  #answerByScript(
    control: Exclude<AgentScript['controls'], undefined>[string],
    requestId: string | undefined,
    fields: Fields,
  ): void {
    const answered = (async () => await control(fields))();
    answered
      .then((payload) => this.#succeed(requestId, payload)) // which throws for what JSON cannot represent
      .catch((error: unknown) => this.#fail(requestId, errorText(error)));
  }

  #succeed(requestId: string | undefined, payload?: Payload): void {
    const response = payload === undefined ? {} : { response: payload };
    this.#parts.session.raw({
      type: 'control_response',
      response: { subtype: 'success', request_id: requestId, ...response },
    });
  }

  #fail(requestId: string | undefined, error: string, code?: string): void {
    const more = code === undefined ? {} : { error_code: code };
    this.#parts.session.raw({
      type: 'control_response',
      response: { subtype: 'error', request_id: requestId, error, ...more },
    });
  }
}

type BuiltIn = (
  fields: Fields,
  succeed: (payload?: Payload) => void,
  fail: (error: string, code?: string) => void,
) => void;
