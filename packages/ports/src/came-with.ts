/*
 * The version of the CLI that introduced something: a flag of its command line, a request, or a part of `initialize`.
 * What is not listed is in every version that is supported. docs/versions.md has what was tried with which version.
 */
const versions = {
  '--await-claim': '2.1.281',
  '--await-initialize': '2.1.261',
  '--initialize-fields': '2.1.327',
  '--managed-settings-in-initialize': '2.1.323',
  '--permission-prompts': '2.1.259',
  '--project-config-root': '2.1.275',
  '--resume-drops-turn': '2.1.223',
  claim_session: '2.1.281',
  get_hooks_listing: '2.1.269',
  get_task_output: '2.1.287',
  list_permission_rules: '2.1.269',
  mcp_read_resource: '2.1.280',
  reload_output_styles: '2.1.261',
  set_has_subscribers: '2.1.319',
  update_settings: '2.1.257',
  'mcpServers in initialize': '2.1.326',
  'onFailure of hooks': '2.1.317',
} as const;

/** For those without which the same can be had. */
const others: Readonly<Record<string, string>> = {
  '--managed-settings-in-initialize': ' Or set `managedSettingsDelivery` to argv.',
  'mcpServers in initialize': ' Or set `mcpServersDelivery` to argv.',
};

/** `It came with the CLI 2.1.281: update the CLI.`; `undefined` for what is in every version, or in none. */
export function cameWith(capability: string): string | undefined {
  if (!Object.hasOwn(versions, capability)) return undefined;
  const version = versions[capability as keyof typeof versions]; // just looked up
  return `It came with the CLI ${version}: update the CLI.${others[capability] ?? ''}`;
}

/** The same for the text in which the agent refuses a request that it does not know. */
export function explainRefusal(text: string): string | undefined {
  const subtype = /^Unsupported control request subtype: (?<subtype>\w+)/.exec(text)?.groups?.['subtype'];
  return subtype === undefined ? undefined : cameWith(subtype);
}
