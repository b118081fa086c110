// oxlint-disable-next-line typescript/no-generated-empty-object-type -- in the official package any object is let through
type Nothing = Record<never, never>;

/** What is asked of `WebFetch`. */
export type WebFetchInput = { url: string; prompt: string; offset?: number };

/** The answer of the model about the page. */
export type WebFetchOutput = {
  bytes: number;
  code: number;
  codeText: string;
  result: string;
  durationMs: number;
  url: string;
  artifactRead?: { slug: string; ver?: string; seeded?: false };
};

/** What is asked of `WebSearch`. */
export type WebSearchInput = { query: string; allowed_domains?: string[]; blocked_domains?: string[] };

/** What was found. */
export type WebSearchOutput = {
  query: string;
  results: ({ tool_use_id: string; content: { title: string; url: string; snippet?: string }[] } | string)[];
  durationSeconds: number;
  searchCount?: number;
};

/** What is asked of a tool of an MCP server. */
export type McpInput = { [name: string]: unknown };

/** What a tool of an MCP server returned. */
export type McpOutput = string | { type: string; [name: string]: unknown }[] | { [name: string]: unknown };

/** What is asked of `ListMcpResources`. */
export type ListMcpResourcesInput = { server?: string };

/** The resources of the servers. */
export type ListMcpResourcesOutput = {
  uri: string;
  name: string;
  mimeType?: string;
  description?: string;
  server: string;
}[];

/** What is asked of `ReadMcpResource`. */
export type ReadMcpResourceInput = { server: string; uri: string };

/** What the resource holds. */
export type ReadMcpResourceOutput = {
  contents: { uri: string; mimeType?: string; text?: string; blobSavedTo?: string }[];
  error?: string;
};

/** What is asked of `ReadMcpResourceDir`. */
export type ReadMcpResourceDirInput = { server: string; uri: string };

/** What the folder holds. */
export type ReadMcpResourceDirOutput = {
  resources: { uri: string; name: string; mimeType?: string }[];
  error?: string;
};

/** What is asked of `RefreshMcpTools`. */
export type RefreshMcpToolsInput = { server?: string };

/** What changed, by server. */
export type RefreshMcpToolsOutput = {
  server: string;
  status: 'refreshed' | 'error' | 'not_connected';
  toolCount?: number;
  added?: string[];
  removed?: string[];
  error?: string;
}[];

/** What is asked of `RemoteTrigger`. */
export type RemoteTriggerInput = {
  action: 'list' | 'get' | 'create' | 'update' | 'run' | 'create_webhook_trigger' | 'list_runs' | 'get_run_log';
  trigger_id?: string;
  session_id?: string;
  cursor?: string;
  body?: { [name: string]: unknown };
};

/** What the service answered. */
export type RemoteTriggerOutput = { status: number; json: string; summary?: string };

/** What is asked of `PushNotification`. */
export type PushNotificationInput = { message: string; status?: 'proactive' };

/** Where it was sent. */
export type PushNotificationOutput = {
  message: string;
  pushSent?: boolean;
  localSent?: boolean;
  disabledReason?: 'config_off' | 'user_present' | 'no_transport';
  sentAt?: string;
};

/** `ReadNotifications` is asked for nothing in particular. */
export type ReadNotificationsInput = Nothing;

/** What has arrived. */
export type ReadNotificationsOutput = {
  notifications: {
    notification_id: string;
    origin: string;
    queued_at: string;
    content: string;
    arrived_at?: string;
  }[];
  remaining: number;
  read_at?: string;
};

/** What is asked of `SendFeedback`. */
export type SendFeedbackInput = {
  type: 'bug' | 'idea' | 'missing_capability';
  title: string;
  details: string;
  area?: string;
  failure_mode?:
    | 'instruction_following'
    | 'destructive_actions'
    | 'code_quality'
    | 'repetition_and_looping'
    | 'model_regression'
    | 'overconfidence_and_hallucination'
    | 'context_and_memory'
    | 'overeager'
    | 'over_correction'
    | 'stopping_short'
    | 'dispute_or_decline'
    | 'subagent_overspawn'
    | 'tone_or_preachiness'
    | 'excessive_questions'
    | 'unwanted_scope'
    | 'other';
  task_category?: 'code_edit' | 'debug' | 'explain' | 'plan' | 'shell' | 'search' | 'review' | 'other';
};

/** Whether it was sent. */
export type SendFeedbackOutput = { success: boolean; message: string };

/** `ShowOnboardingRolePicker` is asked for nothing in particular. */
export type ShowOnboardingRolePickerInput = Nothing;

/** What a person picked. */
export type ShowOnboardingRolePickerOutput = { role?: string; dismissed?: boolean };

/** What is asked of `OfferChromeSetup`. */
export type OfferChromeSetupInput = { reason?: string };

/** What a person chose. */
export type OfferChromeSetupOutput = { outcome: 'connected' | 'not_now' | 'no_attempt_yet' };
