type Headers = { [name: string]: string };

/** Which plugins are loaded, and from where. */
export interface PluginSettings {
  /** `name@marketplace`, and whether it is loaded. */
  enabledPlugins?: { [plugin: string]: boolean | string[] | { [key: string]: unknown } };
  prependPlugins?: string[];
  appendPlugins?: string[];
  pluginConfigs?: { [plugin: string]: PluginConfig | { [key: string]: unknown } };
  pluginTrustMessage?: string;
  pluginSuggestionMarketplaces?: string[];
  extraKnownMarketplaces?: { [name: string]: KnownMarketplace };
  additionalMarketplaces?: { [name: string]: KnownMarketplace };
  strictKnownMarketplaces?: Marketplace[];
  allowedMarketplaces?: Marketplace[];
  blockedMarketplaces?: Marketplace[];
  strictPluginOnlyCustomization?: boolean | ('skills' | 'agents' | 'hooks' | 'mcp')[];
  disableCommandPluginSources?: boolean;
  disableSideloadFlags?: boolean;
  channelsEnabled?: boolean;
  allowedChannelPlugins?: { marketplace: string; plugin: string }[];
}

type OptionValues = { [name: string]: string | number | boolean | string[] };

type PluginConfig = { mcpServers?: { [server: string]: OptionValues }; options?: OptionValues };

type KnownMarketplace = {
  source: Marketplace;
  installLocation?: string;
  autoUpdate?: boolean;
  pluginDigests?: { [plugin: string]: string[] };
};

/** Where a list of plugins is kept. Narrow it by `source`. */
type Marketplace =
  | { source: 'url'; url: string; headers?: Headers; headersHelper?: string }
  | (Repository & { source: 'github'; repo: string })
  | (Repository & { source: 'git'; url: string })
  | NpmPackage
  | { source: 'file'; path: string }
  | { source: 'directory'; path: string }
  | { source: 'skills-dir' }
  | { source: 'hostPattern'; hostPattern: string }
  | { source: 'pathPattern'; pathPattern: string }
  | {
      source: 'settings';
      name: string;
      plugins: ListedPlugin[];
      owner?: { name: string; email?: string; url?: string };
    };

type Repository = { ref?: string; path?: string; sparsePaths?: string[]; skipLfs?: boolean };

type NpmPackage = { source: 'npm'; package: string; version?: string; registry?: string };

type ListedPlugin = {
  name: string;
  /** A path in the marketplace, or somewhere else. */
  source: string | PluginSource;
  description?: string;
  version?: string;
  strict?: boolean;
  engines?: { [name: string]: unknown };
  headers?: Headers;
  headersHelper?: string;
};

type Commit = { ref?: string; sha?: string };

type PluginSource =
  | NpmPackage
  | (Commit & { source: 'url'; url: string })
  | (Commit & { source: 'github'; repo: string })
  | (Commit & { source: 'git-subdir'; url: string; path: string })
  | { source: 'archive'; url: string; sha256?: string }
  | { source: 'command'; command: string; timeout?: number; mode?: 'copy' | 'link' }
  | { source: 'unsupported'; error?: string };

/** Which MCP servers are reached. */
export interface McpSettings {
  enableAllProjectMcpServers?: boolean;
  enabledMcpjsonServers?: string[];
  disabledMcpjsonServers?: string[];
  managedMcpServers?: { [server: string]: { [key: string]: unknown } };
  allowedMcpServers?: ServerPattern[];
  deniedMcpServers?: ServerPattern[];
  allowManagedMcpServersOnly?: boolean;
  disableClaudeAiConnectors?: boolean;
  allowAllClaudeAiMcps?: boolean;
  allowClaudeInChromeWithManagedMcp?: boolean;
}

type ServerPattern = { serverName?: string; serverCommand?: [string, ...string[]]; serverUrl?: string };

/** Which skills there are, and how much of them the model gets to see. */
export interface SkillSettings {
  skillOverrides?: { [skill: string]: 'on' | 'name-only' | 'user-invocable-only' | 'off' };
  skillListingMaxDescChars?: number;
  skillListingBudgetFraction?: number;
  disableBundledSkills?: boolean;
  disableSkillShellExecution?: boolean;
  syncClaudeAiSkills?: boolean;
  syncClaudeAiPlugins?: boolean;
}
