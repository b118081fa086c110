import type { HookDispatcher, HookOutput, JsonRpcMessage, McpClientSide, McpServer } from '@hexagent/ports';
import {
  framesFrom,
  type RecordedFrame,
  type Recording,
} from '../../packages/testing/test/recordings/load-recording.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What was answered to the CLI's requests in a recording, each given when the replay has reached it. */
export class RecordedCallbacks {
  readonly #answers = new Map<unknown, PromiseWithResolvers<Fields>>();
  /** The ids of the requests of a kind, in the order they were asked. */
  readonly #asked: Readonly<Record<'hook_callback' | 'mcp_message', unknown[]>>;
  readonly #clients = new Map<string, McpClientSide>();
  readonly #registration: Fields;

  constructor(recording: Recording) {
    const requests = framesFrom(recording).filter(({ type }) => type === 'control_request');
    for (const frame of requests) {
      const answer = Promise.withResolvers<Fields>();
      answer.promise.catch(() => {}); // it may never be asked for
      this.#answers.set(frame['request_id'], answer);
    }
    const of = (subtype: string): unknown[] =>
      requests.filter((frame) => requestOf(frame)['subtype'] === subtype).map((frame) => frame['request_id']);
    this.#asked = { hook_callback: of('hook_callback'), mcp_message: of('mcp_message') };
    this.#registration = initializeOf(recording);
  }

  /** Lets the answer out that the recording has here. */
  answer(frame: RecordedFrame): void {
    const { request_id, subtype, response, error } = frame['response'] as Fields;
    const answer = this.#answers.get(request_id);
    if (subtype === 'success') answer?.resolve((response ?? {}) as Fields);
    else answer?.reject(new Error(String(error)));
  }

  async permission(requestId: string): Promise<Fields> {
    const { toolUseID: _, ...answer } = await this.#given(requestId);
    return answer;
  }

  async elicitation(requestId: string): Promise<Fields> {
    return await this.#given(requestId);
  }

  /** Registered as in the recording, under the ids it has there. */
  hooks(): HookDispatcher {
    const given = async (): Promise<HookOutput> => await this.#given(this.#asked.hook_callback.shift());
    return {
      // The field of `initialize`, in its own form.
      registration: () => this.#registration['hooks'] as ReturnType<HookDispatcher['registration']>,
      dispatch: given,
    };
  }

  servers(): readonly McpServer[] {
    const names = (this.#registration['sdkMcpServers'] ?? []) as readonly string[];
    return names.map((name) => ({
      name,
      open: (client) => {
        this.#clients.set(name, client);
        return { handle: () => this.#mcp(), close: () => Promise.resolve() };
      },
    }));
  }

  /** Sends a message of the server by itself. */
  async sendToClient(server: string, message: JsonRpcMessage): Promise<void> {
    await this.#clients.get(server)?.send(message);
  }

  async #mcp(): Promise<JsonRpcMessage | undefined> {
    const { mcp_response } = await this.#given(this.#asked.mcp_message.shift());
    return mcp_response as JsonRpcMessage | undefined;
  }

  async #given(requestId: unknown): Promise<Fields> {
    const answer = this.#answers.get(requestId);
    if (answer === undefined) throw new Error(`Nobody asked ${String(requestId)} in the recording.`);
    return await answer.promise;
  }
}

/** The first `initialize` of a recording. */
export function initializeOf({ entries }: Recording): Fields {
  const frame = entries.find(
    (entry) => entry.dir === 'in' && requestOf(entry.frame)['subtype'] === 'initialize',
  )?.frame;
  return frame === undefined ? {} : requestOf(frame);
}

export function requestOf(frame: RecordedFrame): Fields {
  return (frame['request'] ?? {}) as Fields;
}
