import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { hooksFeature } from '@hexagent/hooking';
import { HostedServers } from '@hexagent/mcp-sdk-server';
import { createQuery, type QueryCallbacks, type QueryServers } from '@hexagent/official-api';
import type { Options, Query, SDKUserMessage } from '@hexagent/official-api/official';
import { wireParser } from '@hexagent/parser';
import { permissionsFeature } from '@hexagent/permissions';
import type { Conversations, JsonRpcMessage, Launch, Observer, SessionFeature, Transport } from '@hexagent/ports';
import { ConversationService } from '@hexagent/streaming';
import { CountedIds, HandClock } from '@hexagent/testing';
import type { RecordedEntry, RecordedFrame, Recording } from '../../packages/testing/test/recordings/load-recording.ts';
import { MessageStream } from './message-stream.ts';
import { RecordedCallbacks, initializeOf, requestOf } from './recorded-callbacks.ts';

/** How the loop over the messages ended. */
export type Ending = { readonly kind: 'done' } | { readonly kind: 'threw'; readonly error: unknown };

/** Parts of an SDK that watch the replay. */
export interface ReplayedParts {
  readonly observer?: Observer | undefined;
  readonly conversations?: ((inner: Conversations) => Conversations) | undefined;
}

/** The program that was recorded, over our stack: the official `query()`, streaming, protocol and parser. */
export class Program {
  readonly yielded: unknown[] = [];
  readonly callbacks: RecordedCallbacks;
  readonly ended: Promise<Ending>;
  readonly #aborting = new AbortController();
  readonly #stream = new MessageStream<SDKUserMessage>();
  readonly #query: Query;
  /** The messages and requests that the program still has to send; its stream ends with the last of them. */
  readonly #toDo: Set<RecordedFrame>;

  constructor(recording: Recording, transport: Transport, parts: ReplayedParts = {}) {
    this.callbacks = new RecordedCallbacks(recording);
    const done = recording.entries.filter((entry) => isUserMessage(entry) || isAsked(entry)).map(({ frame }) => frame);
    const userFrames = done.filter(({ type }) => type === 'user');
    this.#toDo = new Set(done);
    this.#query = this.#start(recording, { transport, ...parts }, onlyText(userFrames) ?? this.#stream);
    // What a stream that breaks has left to do is to break.
    if (recording.name === '40-generator-throws') this.#toDo.add({});
    if (this.#toDo.size === 0) this.#stream.end();
    this.ended = this.#read();
  }

  sendUserMessage(frame: RecordedFrame): void {
    const { session_id: _, ...message } = frame;
    // Written by the official SDK: a message of its user's.
    this.#stream.push(message as object as SDKUserMessage);
    this.did(frame);
  }

  /** One thing less to do. */
  did(frame: RecordedFrame): void {
    this.#toDo.delete(frame);
    if (this.#toDo.size === 0) this.#stream.end();
  }

  /** The stream of messages breaks. */
  fail(error: Error): void {
    this.#stream.fail(error);
  }

  /** Calls the method that writes this request; `false` when there is none. The tests compare its answer elsewhere. */
  ask(frame: RecordedFrame): boolean {
    const request = requestOf(frame);
    const subtype = String(request['subtype']);
    if (subtype === 'mcp_message') {
      void this.callbacks.sendToClient(String(request['server_name']), request['message'] as JsonRpcMessage);
      return true;
    }
    const call = methods[subtype]?.(request);
    if (call === undefined) return false;
    const [method, ...args] = call;
    // A method that talks to the agent; what it answers is looked at elsewhere.
    const asked = Reflect.apply(this.#query[method] as (...all: unknown[]) => Promise<unknown>, undefined, args);
    asked.catch(() => {});
    return true;
  }

  abort(): void {
    this.#aborting.abort();
  }

  close(): void {
    this.#query.close();
  }

  async leave(): Promise<void> {
    await this.#query.return();
  }

  #start(
    recording: Recording,
    { transport, observer, conversations }: ReplayedParts & { readonly transport: Transport },
    prompt: string | MessageStream<SDKUserMessage>,
  ): Query {
    const clock = new HandClock();
    const ids = new CountedIds();
    const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock, observer });
    const service = new ConversationService({ transport, protocol, clock, ids, observer });
    const query = createQuery({
      conversations: () => conversations?.(service) ?? service,
      launcher: () => launchOf(recording),
      features: (given) => this.#features(given),
      host: (servers) => this.#host(servers),
      mirror: async () => ({ name: 'no store' }),
      restore: async () => undefined,
      environment: () => ({}),
      debugFile: () => undefined,
      warn: () => {},
    });
    return query({ prompt, options: this.#options(recording) });
  }

  /** As the composition root of the SDK makes them, over what was recorded. */
  #features({ canUseTool, hooks, hosted, elicitor }: QueryCallbacks): readonly SessionFeature[] {
    const features = [
      canUseTool && permissionsFeature({ decide: canUseTool }),
      hooks && hooksFeature(this.callbacks.hooks()),
      hosted,
      elicitor && { name: 'elicitation', handlers: { elicitation: elicitor.elicit } },
    ];
    return features.filter((feature) => feature !== undefined);
  }

  #host(servers: object): QueryServers {
    const isHosting = Object.keys(servers).length > 0;
    const hosted = new HostedServers(isHosting ? this.callbacks.servers() : [], { clock: new HandClock() });
    return { feature: hosted.feature, names: () => hosted.names(), change: (_, announce) => announce({}) };
  }

  #options(recording: Recording): Options {
    const initialize = initializeOf(recording);
    const asks = argsOf(recording).includes('--permission-prompt-tool=stdio');
    const elicits = recording.entries.some(({ frame }) => requestOf(frame)['subtype'] === 'elicitation');
    const { callbacks } = this;
    // What the callbacks return is what was recorded, right or wrong.
    return {
      abortController: this.#aborting,
      ...(asks && {
        canUseTool: async (_name, _input, { requestId }) => (await callbacks.permission(requestId)) as never,
      }),
      ...(elicits && {
        onElicitation: async (_asked, { requestId }) => (await callbacks.elicitation(requestId)) as never,
      }),
      ...(initialize['hooks'] !== undefined && { hooks: {} }),
      ...(initialize['sdkMcpServers'] !== undefined && {
        mcpServers: { s: { type: 'sdk', name: 's', instance: undefined as never } },
      }),
    };
  }

  async #read(): Promise<Ending> {
    try {
      for await (const message of this.#query) this.yielded.push(message);
      return { kind: 'done' };
    } catch (error) {
      return { kind: 'threw', error };
    }
  }
}

type Call = readonly [method: keyof Query, ...args: readonly unknown[]];

/** The method behind each request, and its arguments. */
const methods: Readonly<Record<string, (fields: Readonly<Record<string, unknown>>) => Call>> = {
  interrupt: () => ['interrupt'],
  set_model: ({ model }) => ['setModel', model],
  set_permission_mode: ({ mode }) => ['setPermissionMode', mode],
  set_max_thinking_tokens: (fields) => [
    'setMaxThinkingTokens',
    fields['max_thinking_tokens'],
    fields['thinking_display'],
  ],
  apply_flag_settings: ({ settings }) => ['applyFlagSettings', settings],
  update_settings: ({ source, settings }) => ['updateSettings', source, settings],
  seed_read_state: ({ path, mtime }) => ['seedReadState', path, mtime],
  stop_task: ({ task_id }) => ['stopTask', task_id],
  background_tasks: ({ tool_use_id }) => ['backgroundTasks', tool_use_id],
  rewind_files: ({ user_message_id, dry_run }) => ['rewindFiles', user_message_id, { dryRun: dry_run }],
  get_context_usage: ({ detail }) => ['getContextUsage', { detail }],
  get_usage: ({ skip_behaviors }) => [
    'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET',
    { skipBehaviors: skip_behaviors },
  ],
  read_file: ({ path, max_bytes, encoding }) => ['readFile', path, { maxBytes: max_bytes, encoding }],
  reload_plugins: () => ['reloadPlugins'],
  reload_skills: () => ['reloadSkills'],
  reload_output_styles: () => ['reloadOutputStyles'],
  mcp_status: () => ['mcpServerStatus'],
  mcp_reconnect: ({ serverName }) => ['reconnectMcpServer', serverName],
  mcp_toggle: ({ serverName, enabled }) => ['toggleMcpServer', serverName, enabled],
  mcp_read_resource: ({ serverName, uri }) => ['readMcpResource', serverName, uri],
  mcp_set_servers: ({ servers }) => ['setMcpServers', servers],
  set_mcp_permission_mode_override: ({ serverName, mode }) => ['setMcpPermissionModeOverride', serverName, mode],
};

/** As the official SDK launched it, less what our stack adds itself. */
function launchOf(recording: Recording): Launch {
  const {
    subtype: _,
    hooks: __,
    sdkMcpServers: ___,
    sdkMcpServerManifests: ____,
    ...initialize
  } = initializeOf(recording);
  const args = argsOf(recording);
  return { args, env: {}, initialize };
}

function argsOf({ entries }: Recording): readonly string[] {
  const spawned = entries.find(({ frame }) => frame['event'] === 'spawn');
  return (spawned?.frame['args'] ?? []) as readonly string[];
}

function isUserMessage({ dir, frame }: RecordedEntry): boolean {
  return dir === 'in' && frame.type === 'user';
}

/** The first `initialize` is the SDK's own. */
function isAsked({ dir, frame }: RecordedEntry): boolean {
  return dir === 'in' && frame.type === 'control_request' && requestOf(frame)['subtype'] !== 'initialize';
}

/** The official SDK writes a prompt that is a string as one text block. */
function onlyText(userFrames: readonly RecordedFrame[]): string | undefined {
  const [frame, ...more] = userFrames;
  if (frame === undefined || more.length > 0 || frame['uuid'] !== undefined) return undefined;
  const { content } = frame['message'] as { readonly content: unknown };
  const blocks = Array.isArray(content)
    ? (content as readonly { readonly type: string; readonly text?: string }[])
    : [];
  return blocks.length === 1 && blocks[0]?.type === 'text' ? blocks[0].text : undefined;
}
