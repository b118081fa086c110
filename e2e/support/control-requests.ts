import { join } from 'node:path';
import type { ControlAnswer, ControlFields, ControlSubtype } from '@hexagent/ports';
import { z } from 'zod';

/** What is asked, and the form of the answer: the schema yields the very type that the map of requests promises. */
export interface Asked<Subtype extends ControlSubtype> {
  readonly fields: (place: Place) => ControlFields<Subtype>;
  readonly answer: z.ZodType<ControlAnswer<Subtype>>;
}

/** What the fields of requests refer to. */
export interface Place {
  readonly folder: string;
  /** The uuid of a message that was answered with a changed file. */
  readonly message: string;
  /** A background shell that runs. */
  readonly task: string;
}

/** Each request of the types, sent in this order, or why it cannot be sent here. */
type Table = { readonly [Subtype in ControlSubtype]: Asked<Subtype> | string };

const ask = <Subtype extends ControlSubtype>(
  fields: ControlFields<Subtype> | ((place: Place) => ControlFields<Subtype>),
  answer: z.ZodType<ControlAnswer<Subtype>>,
): Asked<Subtype> => ({ fields: typeof fields === 'function' ? fields : () => fields, answer });

const text = z.string();
const texts = z.array(text);
const nothing = z.record(text, z.unknown());
const command = z.object({ name: text, description: text, argumentHint: text, builtin: z.boolean().exactOptional() });
const agent = z.object({ name: text, description: text, model: text.exactOptional() });
const model = z.object({
  value: text,
  resolvedModel: text,
  displayName: text,
  description: text,
  supportsEffort: z.boolean().exactOptional(),
  supportedEffortLevels: z.array(z.enum(['low', 'medium', 'high', 'xhigh', 'max'])).exactOptional(),
});
const server = z.object({
  name: text,
  status: z.enum(['connected', 'failed', 'needs-auth', 'pending', 'disabled']),
  serverInfo: z.object({ name: text, version: text }).exactOptional(),
  config: nothing.exactOptional(),
  scope: text,
  source: text,
  tools: z.array(z.object({ name: text, description: text.exactOptional() })).exactOptional(),
});
const event = z.object({ name: text, summary: text, supportsMatcher: z.boolean() });
const rule = z.object({
  behavior: z.enum(['allow', 'deny', 'ask']),
  source: z.enum(['flagSettings', 'cliArg']),
  rule: text,
  description: z.object({ prefix: text, emphasis: text.exactOptional(), suffix: text.exactOptional() }).exactOptional(),
  editability: z.enum(['persistent', 'session', 'readonly']),
});
const modelUsage = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
  webSearchRequests: z.number(),
  costUSD: z.number(),
  contextWindow: z.number(),
  maxOutputTokens: z.number(),
});

export const requests: Table = {
  initialize: ask(
    {},
    z.looseObject({
      commands: z.array(command).min(1),
      agents: z.array(agent).min(1),
      models: z.array(model).min(1),
      account: z.object({ apiKeySource: text }),
      output_style: text,
      available_output_styles: texts,
      claude_code_version: text,
      capabilities: texts,
      current_permission_mode: text,
      session_state: text,
      pid: z.number(),
      hook_on_failure_supported: z.boolean(),
      fast_mode_state: z.enum(['off', 'cooldown', 'on']),
    }),
  ),
  get_settings: ask(
    {},
    z.object({
      effective: nothing,
      sources: z.array(z.object({ source: text, settings: nothing })).min(1),
      applied: z.looseObject({ model: text, effort: text }),
      errors: z.array(z.object({ file: z.exactOptional(text), path: text, message: text })).exactOptional(),
    }),
  ),
  list_permission_rules: ask(
    {},
    z.object({
      state: z.object({
        rules: z.array(rule).min(1),
        workspaceDirectories: z.array(z.object({ path: text, source: text })),
        originalCwd: text,
        managedOnly: z.boolean(),
      }),
    }),
  ),
  get_hooks_listing: ask(
    {},
    z.object({
      events: z.array(event.extend({ hookCount: z.number() })).min(1),
      hooks: z
        .array(
          z.object({
            event: text,
            matcher: text,
            source: text,
            sourceLabel: text,
            type: text,
            displayText: text,
            commandText: text,
            contentLabel: text,
          }),
        )
        .min(1),
      eventCatalog: z.array(event).min(1),
      policy: z.object({
        disabledByPolicy: z.boolean(),
        managedOnly: z.boolean(),
        pluginOnly: z.boolean(),
        allDisabled: z.boolean(),
        policyHookCount: z.number(),
      }),
    }),
  ),
  apply_flag_settings: ask({ settings: { permissions: { deny: ['Bash(rm *)'] } } }, nothing),
  update_settings: ask({ source: 'localSettings', settings: { outputStyle: 'Explanatory' } }, nothing),

  set_model: ask({ model: 'claude-sonnet-5' }, z.object({ model: text })),
  set_max_thinking_tokens: ask({ max_thinking_tokens: 4000, thinking_display: 'summarized' }, nothing),
  set_permission_mode: ask({ mode: 'acceptEdits' }, z.object({ mode: z.literal('acceptEdits') })),
  set_has_subscribers: ask({ has_subscribers: true }, nothing),
  set_color: 'CLI 2.1.328 refuses it',

  mcp_status: ask({}, z.object({ mcpServers: z.array(server).min(1) })),
  mcp_call: ask(
    { tool: 'mcp__greeter__greet', arguments: { name: 'Ann' } },
    z.object({ content: z.array(z.object({ type: z.literal('text'), text })).min(1) }),
  ),
  mcp_read_resource: 'needs a server with a resource under ui://',
  mcp_message: ask(
    { server_name: 'mine', message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } },
    nothing,
  ),
  set_mcp_permission_mode_override: ask({ serverName: 'unheard-of', mode: null }, z.object({ warning: text })),
  mcp_reconnect: ask({ serverName: 'greeter' }, nothing),
  mcp_authenticate: 'needs a server that needs a person to sign in: signing-in.test.ts has one',
  mcp_oauth_callback_url: 'needs a sign-in that has begun',
  mcp_clear_auth: 'needs a server that a person can sign in to',
  mcp_toggle: ask({ serverName: 'greeter', enabled: false }, nothing),
  mcp_set_servers: ask(
    { servers: { lost: { command: '/no/such/server' } } },
    z.object({ added: texts.min(1), removed: texts, errors: z.record(text, text) }),
  ),

  get_context_usage: ask(
    { detail: 'full' },
    z.object({
      categories: z.array(
        z.object({
          name: text,
          tokens: z.number(),
          color: text,
          kind: z.enum(['used', 'free', 'buffer', 'deferred']),
        }),
      ),
      totalTokens: z.number(),
      maxTokens: z.number(),
      rawMaxTokens: z.number(),
      percentage: z.number(),
      gridRows: z.array(
        z.array(
          z.object({
            color: text,
            isFilled: z.boolean(),
            categoryName: text,
            tokens: z.number(),
            percentage: z.number(),
            squareFullness: z.number(),
          }),
        ),
      ),
      model: text,
      memoryFiles: z.array(z.object({ path: text, type: text, tokens: z.number() })),
      mcpTools: z.array(z.object({ name: text, serverName: text, tokens: z.number() })),
      agents: z.array(z.object({ agentType: text, source: text, tokens: z.number() })),
      skills: z.object({
        totalSkills: z.number(),
        includedSkills: z.number(),
        tokens: z.number(),
        skillFrontmatter: z.array(z.object({ name: text, source: text, tokens: z.number() })).min(1),
      }),
      isAutoCompactEnabled: z.boolean(),
      messageBreakdown: z.object({
        toolCallTokens: z.number(),
        toolResultTokens: z.number(),
        attachmentTokens: z.number(),
        assistantMessageTokens: z.number(),
        userMessageTokens: z.number(),
        redirectedContextTokens: z.number(),
        unattributedTokens: z.number(),
        toolCallsByType: z.array(z.object({ name: text, callTokens: z.number(), resultTokens: z.number() })),
        attachmentsByType: z.array(z.object({ name: text, tokens: z.number() })),
      }),
      apiUsage: z
        .object({
          input_tokens: z.number(),
          output_tokens: z.number(),
          cache_creation_input_tokens: z.number(),
          cache_read_input_tokens: z.number(),
        })
        .nullable(),
    }),
  ),
  get_usage: ask(
    { skip_behaviors: true },
    z.object({
      session: z.object({
        total_cost_usd: z.number(),
        total_api_duration_ms: z.number(),
        total_duration_ms: z.number(),
        total_lines_added: z.number(),
        total_lines_removed: z.number(),
        model_usage: z.record(text, modelUsage),
      }),
      subscription_type: z.null(),
      rate_limits_available: z.boolean(),
      rate_limits: z.null(),
      behaviors: z.null(),
    }),
  ),
  get_session_cost: ask({}, z.object({ text })),
  get_binary_version: ask({}, z.object({ version: text, buildTime: text })),
  list_models: ask({}, z.object({ models: z.array(model).min(1) })),
  reload_plugins: ask(
    {},
    z.object({
      commands: z.array(command).min(1),
      agents: z.array(agent).min(1),
      plugins: z.array(z.object({ name: text, path: text })),
      mcpServers: z.array(server),
      error_count: z.number(),
    }),
  ),
  reload_skills: ask({}, z.object({ skills: z.array(command).min(1) })),
  reload_output_styles: ask({}, z.object({ available_output_styles: texts.min(1) })),

  read_file: ask({ path: 'read.txt' }, z.object({ contents: text, absPath: text, lossy: z.boolean() })),
  seed_read_state: ask(({ folder }) => ({ path: join(folder, 'read.txt'), mtime: 1 }), nothing),
  rewind_files: ask(
    ({ message }) => ({ user_message_id: message, dry_run: true }),
    z.object({ canRewind: z.literal(true), filesChanged: texts, insertions: z.number(), deletions: z.number() }),
  ),
  rewind_conversation: 'session.rewind() makes it: rewind-and-fork.test.ts',
  file_suggestions: ask({ query: 'r' }, z.object({ suggestions: z.array(z.unknown()), cwd: text })),
  register_repo_root: ask(({ folder }) => ({ directory: join(folder, 'inside') }), z.object({ directory: text })),

  get_task_output: ask(
    ({ task }) => ({ task_id: task }),
    z.object({ output: text, total_bytes: z.number(), truncated: z.boolean() }),
  ),
  background_tasks: ask({ tool_use_id: 'toolu_none' }, z.object({ backgrounded: z.boolean() })),
  stop_task: ask(({ task }) => ({ task_id: task }), nothing),

  rename_session: ask({ title: 'A title' }, nothing),
  generate_session_title: ask({ description: 'Fix the parser', persist: false }, z.object({ title: text })),
  side_question: ask({ question: 'What is this?' }, z.object({ response: text, synthetic: z.boolean() })),
  cancel_async_message: ask({ message_uuid: crypto.randomUUID() }, z.object({ cancelled: z.boolean() })),
  interrupt: ask({ cancel_queued: true }, z.object({ still_queued: texts })),
  claim_session: 'needs an agent that was started with --await-claim',
  end_session: ask({}, nothing),
};
