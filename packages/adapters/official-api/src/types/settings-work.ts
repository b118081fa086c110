/** How the agent works: its environment, its memory, its files, its sessions. */
export interface WorkSettings {
  $schema?: string;
  /** Variables for the agent and what it starts. */
  env?: { [name: string]: string };
  /** The agent that answers, in place of Claude Code itself. */
  agent?: string;
  language?: string;
  outputStyle?: string;
  /** A command that starts what the agent starts. */
  processWrapper?: string;

  /** The attribution in commits and pull requests. */
  attribution?: boolean | { commit?: string; pr?: string; sessionUrl?: boolean; [key: string]: unknown };
  attributionProject?: string;
  attributionProjectPolicy?: { default?: string };
  includeCoAuthoredBy?: boolean;
  includeGitInstructions?: boolean;
  prUrlTemplate?: string;
  worktree?: {
    symlinkDirectories?: string[];
    sparsePaths?: string[];
    baseRef?: 'fresh' | 'head';
    bgIsolation?: 'worktree' | 'none';
    location?: string;
  };

  claudeMd?: string;
  claudeMdExcludes?: string[];
  autoMemoryEnabled?: boolean;
  autoMemoryDirectory?: string;
  autoDreamEnabled?: boolean;
  plansDirectory?: string;

  /** A command that completes the names of files. */
  fileSuggestion?: { type: 'command'; command: string };
  respectGitignore?: boolean;
  fileCheckpointingEnabled?: boolean;
  /** How many days a transcript is kept. */
  cleanupPeriodDays?: number;
  desktopSessionCleanupPeriodDays?: number;

  disableAgentView?: boolean;
  disableArtifact?: boolean;
  enableArtifact?: boolean;
  disableReplyCheck?: boolean;
  disableRemoteControl?: boolean;
  disableWorkflows?: boolean;
  enableWorkflows?: boolean;
  workflowSizeGuideline?: 'unrestricted' | 'small' | 'medium' | 'large';
  workflowKeywordTriggerEnabled?: boolean;

  remote?: { defaultEnvironmentId?: string };
  remoteControlAtStartup?: boolean;
  isolatePeerMachines?: boolean;
  crossSessionInbound?: 'accept' | 'hold' | 'refuse';
  daemonColdStart?: 'transient' | 'ask';
  teammateMode?: 'auto' | 'tmux' | 'iterm2' | 'in-process';
  sshConfigs?: {
    id: string;
    name: string;
    sshHost: string;
    sshPort?: number;
    sshIdentityFile?: string;
    startDirectory?: string;
  }[];
  sshHostCommands?: unknown[];
}
