import { machineVariables } from '@hexagent/processes';

/*
 * Names are compared in upper case: proxy variables are written in either, and to Windows they are the same.
 * A prefix stands only where it cannot bring along secrets of something else.
 */

interface Group {
  readonly names?: readonly string[];
  readonly prefixes?: readonly string[];
}

const networks: Group = {
  names: [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'ALL_PROXY',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'TRACEPARENT',
    'TRACESTATE',
  ],
};

/** The variables that the CLI documents, without `MCP_CLIENT_SECRET`: it is for configuring a server, not for running an agent. */
const agent: Group = {
  names: [
    'API_FORCE_IDLE_TIMEOUT',
    'API_TIMEOUT_MS',
    'BASH_DEFAULT_TIMEOUT_MS',
    'BASH_MAX_OUTPUT_LENGTH',
    'BASH_MAX_TIMEOUT_MS',
    'DISABLE_AUTOUPDATER',
    'DISABLE_AUTO_COMPACT',
    'DISABLE_COMPACT',
    'DISABLE_COST_WARNINGS',
    'DISABLE_ERROR_REPORTING',
    'DISABLE_FEEDBACK_COMMAND',
    'DISABLE_GROWTHBOOK',
    'DISABLE_INSTALLATION_CHECKS',
    'DISABLE_INTERLEAVED_THINKING',
    'DISABLE_TELEMETRY',
    'DISABLE_UPDATES',
    'DO_NOT_TRACK',
    'ENABLE_CLAUDEAI_MCP_SERVERS',
    'ENABLE_PROMPT_CACHING_1H',
    'ENABLE_TOOL_SEARCH',
    'FALLBACK_FOR_ALL_PRIMARY_MODELS',
    'FORCE_PROMPT_CACHING_5M',
    'IS_SANDBOX',
    'MAX_MCP_OUTPUT_TOKENS',
    'MAX_STRUCTURED_OUTPUT_RETRIES',
    'MAX_THINKING_TOKENS',
    'MCP_CONNECTION_NONBLOCKING',
    'MCP_CONNECT_TIMEOUT_MS',
    'MCP_OAUTH_CALLBACK_PORT',
    'MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE',
    'MCP_SERVER_CONNECTION_BATCH_SIZE',
    'MCP_TIMEOUT',
    'MCP_TOOL_TIMEOUT',
    'SLASH_COMMAND_TOOL_CHAR_BUDGET',
    'TASK_MAX_OUTPUT_LENGTH',
    'USE_BUILTIN_RIPGREP',
  ],
  prefixes: ['ANTHROPIC_', 'CLAUDE_', 'DISABLE_PROMPT_CACHING', 'OTEL_'],
};

const amazon: Group = { prefixes: ['AWS_'] };

/** The variables of another service of models, by the variable that selects it. They are passed on only if it is selected. */
const services: Readonly<Record<string, Group>> = {
  CLAUDE_CODE_USE_BEDROCK: amazon,
  CLAUDE_CODE_USE_MANTLE: amazon,
  CLAUDE_CODE_USE_ANTHROPIC_AWS: amazon,
  CLAUDE_CODE_USE_VERTEX: {
    names: ['CLOUD_ML_REGION', 'METADATA_SERVER_DETECTION'],
    prefixes: ['CLOUDSDK_', 'GCE_METADATA_', 'GCLOUD_', 'GOOGLE_', 'VERTEX_'],
  },
  CLAUDE_CODE_USE_FOUNDRY: {
    names: [
      'IDENTITY_ENDPOINT',
      'IDENTITY_HEADER',
      'IDENTITY_SERVER_THUMBPRINT',
      'IMDS_ENDPOINT',
      'MSI_ENDPOINT',
      'MSI_SECRET',
    ],
    prefixes: ['AZURE_'],
  },
};

/** Decides whether an agent receives a variable by default, given all that its environment would hold. */
export function allowListFor(all: Readonly<Record<string, string | undefined>>): (name: string) => boolean {
  const chosen = Object.entries(services).flatMap(([variable, group]) => (isOn(all[variable]) ? [group] : []));
  const groups = [machineVariables, networks, agent, ...chosen];
  const names = new Set(groups.flatMap((group) => group.names ?? []));
  const prefixes = groups.flatMap((group) => group.prefixes ?? []);
  return (name) => {
    const upper = name.toUpperCase();
    return names.has(upper) || prefixes.some((prefix) => upper.startsWith(prefix));
  };
}

/** Reads a switch as the CLI does. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.trim().toLowerCase());
}
