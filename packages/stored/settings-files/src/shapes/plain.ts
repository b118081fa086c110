import { closing, type Fields, flag, list, text } from './shape.ts';

/** The names in a text. */
export const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The same value for each name. */
export const all = <T>(value: T, names: string): { readonly [name: string]: T } =>
  Object.fromEntries(namesIn(names).map((name) => [name, value]));

/** Flags that restrict: in a policy what cannot be read counts as `true`, which also wins where two policies are joined. */
export const restrictingFlags = `
  allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly disableAgentView
  disableArtifact disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources
  disableRemoteControl disableSideloadFlags disableSkillShellExecution disableWindowsBashCommandSplit
  disableWorkflows enforceAvailableModels fastModePerSessionOptIn isolatePeerMachines
`;
/** Flags that allow: the same with `false`. */
export const allowingFlags = `
  autoContinueAtUsageLimit autoUploadSessions channelsEnabled enableAllProjectMcpServers enableArtifact
  enableWorkflows remoteControlAtStartup skipAutoPermissionPrompt skipDangerousModePermissionPrompt
  skipWebFetchPreflight syncClaudeAiPlugins syncClaudeAiSkills useAutoModeDuringPlan
`;

/** Settings of which nothing but their kind matters. */
export const plainShapes: Fields = {
  ...all(closing(flag, true), restrictingFlags),
  ...all(closing(flag, false), allowingFlags),
  ...all(
    flag,
    `
    agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp
    allowNestedModelAccessUnderForceLogin alwaysThinkingEnabled autoCompactEnabled autoDreamEnabled
    autoMemoryEnabled autoScrollEnabled bashEditDiffEnabled disableAllHooks disableReplyCheck
    emojiCompletionEnabled fastMode fileCheckpointingEnabled forceRemoteSettingsRefresh idleCompaction
    includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled precomputeCompactionEnabled
    prefersReducedMotion promptSuggestionEnabled respectGitignore respondToBashCommands
    showClearContextOnPlanAccept showMessageTimestamps showThinkingSummaries showTurnDuration spinnerTipsEnabled
    switchModelsOnFlag syntaxHighlightingDisabled terminalProgressBarEnabled terminalTitleFromRename
    todoFeatureEnabled verbose voiceEnabled wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled
    wslInheritsWindowsSettings
    `,
  ),
  ...all(
    text,
    `
    $schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory awsAuthRefresh
    awsCredentialExport claudeMd gcpAuthRefresh language minimumVersion model otelHeadersHelper outputStyle
    plansDirectory pluginTrustMessage processWrapper proxyAuthHelper prUrlTemplate requiredMaximumVersion
    requiredMinimumVersion timeFormat timeZone
    `,
  ),
  ...all(list(text), 'claudeMdExcludes companyAnnouncements fallbackModel pluginSuggestionMarketplaces'),
};
