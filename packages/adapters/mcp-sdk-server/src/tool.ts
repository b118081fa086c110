import type { InferArgs, ToolSchema } from './schema.ts';

/** Hints about a tool, as MCP defines them. A tool with `readOnlyHint` may run beside others. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** The second argument of a handler. */
export interface ToolExtra {
  /** Aborts when the agent withdraws the call or the session ends. A result after that is dropped. */
  readonly signal: AbortSignal;
  /** The call's own id. */
  readonly requestId: string | number;
  /** Metadata of the call, such as `progressToken` and `claudecode/toolUseId`. */
  readonly _meta: Readonly<Record<string, unknown>> | undefined;
  /** Sends the agent a notification, such as `notifications/progress`. Does nothing once the call is withdrawn. */
  readonly sendNotification: (notification: {
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>> | undefined;
  }) => Promise<void>;
}

interface Described {
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** One piece of a tool's result. */
export type ToolContent = Described &
  (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
    | {
        readonly type: 'resource_link';
        readonly uri: string;
        readonly name: string;
        readonly title?: string | undefined;
        readonly description?: string | undefined;
        readonly mimeType?: string | undefined;
      }
    | {
        readonly type: 'resource';
        readonly resource: { readonly uri: string; readonly mimeType?: string | undefined } & (
          | { readonly text: string }
          | { readonly blob: string }
        );
      }
  );

/** The result of a handler, in the form of MCP. */
export interface CallToolResult {
  /** What the model reads. */
  readonly content: readonly ToolContent[];
  /** The same as data, for programs. */
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
  /** Reports to the model that the call failed; the content has the reason. */
  readonly isError?: boolean | undefined;
  /** Metadata beside the result. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  readonly [field: string]: unknown;
}

/** A tool, as `createSdkMcpServer()` takes it. */
export interface SdkMcpToolDefinition<Schema extends ToolSchema = ToolSchema> {
  /** The name of the tool within its server. */
  readonly name: string;
  /** The description that the model reads. */
  readonly description: string;
  /** The schema of its arguments. */
  readonly inputSchema: Schema;
  /** Hints, as MCP defines them. */
  readonly annotations?: ToolAnnotations | undefined;
  /** Metadata for the agent, such as `anthropic/searchHint`. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  // A method, since its parameters are compared bivariantly: a tool with specific arguments is assignable to the general type.
  /** Runs one call. */
  handler(args: InferArgs<Schema>, extra: ToolExtra): Promise<CallToolResult> | CallToolResult;
}

export interface ToolExtras {
  readonly annotations?: ToolAnnotations | undefined;
  /** Words by which the agent finds the tool among many. */
  readonly searchHint?: string | undefined;
  /** Put the tool into every prompt instead of letting the agent look it up. */
  readonly alwaysLoad?: boolean | undefined;
}

/**
 * Describes a tool that runs in this process.
 * @example
 * const add = tool('add', 'Adds two numbers', { a: z.number(), b: z.number() }, ({ a, b }) => ({
 *   content: [{ type: 'text', text: String(a + b) }],
 * }));
 */
export function tool<Schema extends ToolSchema>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: InferArgs<Schema>, extra: ToolExtra) => Promise<CallToolResult> | CallToolResult,
  extras?: ToolExtras,
): SdkMcpToolDefinition<Schema> {
  const { annotations, searchHint, alwaysLoad } = extras ?? {};
  const meta = {
    ...(searchHint === undefined ? {} : { 'anthropic/searchHint': searchHint }),
    ...(alwaysLoad === true ? alwaysLoaded : {}),
  };
  return {
    name,
    description,
    inputSchema,
    handler,
    ...(annotations === undefined ? {} : { annotations }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

/** The metadata of a tool that is in every prompt. */
export const alwaysLoaded: { readonly 'anthropic/alwaysLoad': true } = { 'anthropic/alwaysLoad': true };

/** The text for the model about wrong arguments. */
export function problemsText(tool: string, problems: readonly string[]): string {
  return `Invalid arguments for ${tool}:\n${problems.map((problem) => `- ${problem}`).join('\n')}`;
}

export function failedResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
