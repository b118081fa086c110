/** How the agent logs in, and what an organisation holds it to. Much of it counts in managed settings alone. */
export interface AccountSettings {
  /** A command that prints the key of the API. */
  apiKeyHelper?: string;
  proxyAuthHelper?: string;
  awsCredentialExport?: string;
  awsAuthRefresh?: string;
  gcpAuthRefresh?: string;
  /** A command that prints headers, as JSON, for telemetry. */
  otelHeadersHelper?: string;
  /** A command that prints settings of the organisation. */
  policyHelper?: { path: string; timeoutMs?: number; refreshIntervalMs?: number };

  forceLoginMethod?: 'claudeai' | 'console' | 'gateway';
  forceLoginGatewayUrl?: string;
  forceLoginOrgUUID?: string | string[];
  allowNestedModelAccessUnderForceLogin?: boolean;
  gatewayInternalNetworks?: string[];
  allowedProviders?: Provider[];

  parentSettingsBehavior?: 'first-wins' | 'merge';
  managedSourcesBehavior?: 'first-wins' | 'merge';
  forceRemoteSettingsRefresh?: boolean;
  wslInheritsWindowsSettings?: boolean;

  autoUpdatesChannel?: 'latest' | 'stable' | 'rc';
  minimumVersion?: string;
  requiredMinimumVersion?: string;
  requiredMaximumVersion?: string;

  companyAnnouncements?: string[];
  feedbackSurveyRate?: number;
  feedbackDrafts?: 'notify' | 'quiet' | 'off';
  autoUploadSessions?: boolean;
}

type Provider =
  | 'anthropic'
  | 'customEndpoint'
  | 'bedrock'
  | 'vertex'
  | 'foundry'
  | 'anthropicAws'
  | 'mantle'
  | 'gateway';
