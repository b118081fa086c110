import type { InferArgs, ToolSchema } from './schema.ts';

/** Hints about a tool, as MCP defines them. A tool with `readOnlyHint` may run beside others. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** What a handler is given beside its arguments. */
export interface ToolExtra {
  /** Aborts when the agent withdraws the call or the session ends. What a handler answers after that is dropped. */
  readonly signal: AbortSignal;
  /** The call's own id. */
  readonly requestId: string | number;
  /** What the agent sent along: among others `progressToken` and `claudecode/toolUseId`. */
  readonly _meta: Readonly<Record<string, unknown>> | undefined;
  /** Tells the agent something, such as `notifications/progress`. Does nothing once the call is withdrawn. */
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

/** What a handler answers, in MCP's own form. */
export interface CallToolResult {
  /** What the model reads. */
  readonly content: readonly ToolContent[];
  /** The same as data, for programs. */
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
  /** The model is told that the call failed, and reads the content to learn why. */
  readonly isError?: boolean | undefined;
  /** Beside the result, for whoever knows the keys. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  readonly [field: string]: unknown;
}

/** A tool, as `createSdkMcpServer()` takes it. */
export interface SdkMcpToolDefinition<Schema extends ToolSchema = ToolSchema> {
  /** What the tool is called, within its server. */
  readonly name: string;
  /** What the model knows it by. */
  readonly description: string;
  /** What its arguments are. */
  readonly inputSchema: Schema;
  /** Hints, as MCP defines them. */
  readonly annotations?: ToolAnnotations | undefined;
  /** What the agent is told beside, such as `anthropic/searchHint`. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  // A method, not a function-typed property: only so is a tool with arguments of its own also a tool in general.
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

/** The mark by which the agent knows such a tool. */
export const alwaysLoaded: { readonly 'anthropic/alwaysLoad': true } = { 'anthropic/alwaysLoad': true };
