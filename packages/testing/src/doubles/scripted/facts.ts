/*
 * How the CLI 2.1.326 describes itself, shortened from recording 01-string-prompt-minimal.
 */

export const model = 'claude-opus-5-5';
export const version = '2.1.326';

export const initializeAnswer: Readonly<Record<string, unknown>> = {
  commands: [{ name: 'compact', description: 'Free up context', argumentHint: '', builtin: true }],
  agents: [{ name: 'general-purpose', description: '' }],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [{ value: 'default', resolvedModel: model, displayName: 'Default (recommended)', description: '' }],
  account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' },
  pid: 1,
  claude_code_version: version,
  current_permission_mode: 'default',
  hook_on_failure_supported: true,
  session_state: 'idle',
  capabilities: ['ui_surface_v1'],
};

export const initFields: Readonly<Record<string, unknown>> = {
  tools: ['Task', 'Bash', 'Edit', 'Read', 'Write'],
  slash_commands: ['compact', 'context', 'model'],
  apiKeySource: 'ANTHROPIC_API_KEY',
  claude_code_version: version,
  output_style: 'default',
  agents: ['general-purpose'],
  skills: [],
  plugins: [],
  capabilities: ['interrupt_receipt_v1', 'interrupt_cancel_queued_v1', 'msg_lifecycle_v1', 'sdk_mcp_manifests'],
};

type Case =
  | 'rejected'
  | 'stoppedWhileRunning'
  | 'invalidAnswer'
  | 'permissionStreamClosed'
  | 'permissionAfterEnd'
  | 'hookClosed'
  | 'mcpClosed'
  | 'awaitsInitialize'
  | 'interrupted'
  | 'interruptedForTool'
  | 'stopHookReported';

/** The text of tool results in these cases. Recordings 14, 21, 44, 93 and h-eof-before-ask. */
export const texts: Readonly<Record<Case, string>> = {
  rejected:
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
  stoppedWhileRunning:
    ' Correction to the text above: this call was stopped while running, not refused before it ran. It may have run in part or in full, and its changes may have been written. No permission prompt was involved. Work it started elsewhere (a remote command, a background process) may still be running, so check before starting the same work again. The instruction to stop and wait still stands.',
  invalidAnswer:
    "The canUseTool callback returned an invalid permission result. Expected {behavior: 'allow', updatedInput?: object} or {behavior: 'deny', message: string}. updatedPermissions may hold at most 4096 updates, rules and directories in all.",
  permissionStreamClosed:
    'Tool permission request failed: AbortError: Tool permission stream closed before response received',
  permissionAfterEnd: 'Tool permission request failed: AbortError: Stream closed',
  hookClosed:
    "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed.",
  mcpClosed:
    'The tool call was interrupted before a result was received. It may or may not have completed on the server — verify before assuming it succeeded, and retry if needed.',
  awaitsInitialize:
    'Error: --await-initialize requires the initialize control request as the first stdin line, and the first line is a different message.\n',
  interrupted: '[Request interrupted by user]',
  interruptedForTool: '[Request interrupted by user for tool use]',
  stopHookReported: 'stop hook reported a problem · ctrl+o to see',
};
