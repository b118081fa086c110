import type { AgentMessage, AnyMessage, ApiRetryMessage, Hint, SystemMessage } from '@hexagent/ports';

/** The usual meaning of a status of the model's service, and a remedy. */
const byStatus: Readonly<Record<number, Hint>> = {
  400: {
    kind: 'invalid_request',
    remedy: 'The service refused the request as malformed: check the message, the attachments and the model name.',
  },
  401: {
    kind: 'authentication',
    remedy:
      'Set ANTHROPIC_API_KEY to a valid key (in `env.set` where the policy is `exact`), or log in with `claude` and `/login`.',
  },
  403: { kind: 'permission', remedy: 'The key is valid but may not use this model or feature: check the account.' },
  404: { kind: 'not_found', remedy: 'Check the model name and ANTHROPIC_BASE_URL.' },
  413: { kind: 'too_large', remedy: 'Send less at once: the request is larger than the service accepts.' },
  429: { kind: 'rate_limit', remedy: 'Wait, or lower the number of parallel sessions.' },
  500: { kind: 'service', remedy: 'Try again later: the failure is on the side of the service.' },
  529: { kind: 'overloaded', remedy: 'Try again later, or name a `fallbackModel`.' },
};

const connection: Hint = {
  kind: 'connection',
  remedy: 'Check the network, the proxy and ANTHROPIC_BASE_URL.',
};

const noSession: Hint = {
  kind: 'not_found',
  remedy: 'The session to resume does not exist for this working directory and configuration folder.',
};

/** The remedy for missing credentials, by the name that the agent has for the service. */
const credentials: Readonly<Record<string, string>> = {
  AWS: 'Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE after `aws sso login`.',
  Azure:
    'Set ANTHROPIC_FOUNDRY_API_KEY, or AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, or run `az login`.',
  'Google Cloud': 'Set GOOGLE_APPLICATION_CREDENTIALS, or run `gcloud auth application-default login`.',
};

/** The hint for a service that is selected without credentials. */
function noCredentials(service: string): Hint {
  const remedy = credentials[service] ?? 'Give the agent the credentials of the service that its environment chooses.';
  return {
    kind: 'authentication',
    remedy: `${remedy} Where the policy of \`env\` is \`exact\`, name them in \`env.set\`.`,
  };
}

/** Fields that only some results have. They may hold anything in a result that fails its check. */
export interface LooseResult {
  readonly result?: unknown;
  readonly errors?: unknown;
  readonly api_error_status?: number | null;
}

/**
 * The hint in a message about a failing service, at the first sign: the agent may continue retrying for minutes.
 * `undefined` for every message that is not about that.
 */
export function hintOf(given: AnyMessage): Hint | undefined {
  const message = given as AgentMessage; // of either face: what is read of it here is the same in both
  if (message.type === 'system' && message.subtype === 'api_retry') {
    if (message.error === 'cloud_credential_error') return noCredentials('');
    return message.error_status === null ? connection : hintOfStatus(message.error_status);
  }
  if (message.type !== 'result' || !message.is_error) return undefined;
  // Without credentials nothing is asked of the service, so there is no status.
  const { result, errors, api_error_status: status }: LooseResult = message;
  if (Array.isArray(errors) && errors.some((error: unknown) => begins(error, 'No conversation found')))
    return noSession;
  const text = typeof result === 'string' ? result : '';
  if (text.startsWith('Not logged in')) return byStatus[401];
  const [, service] = /^API Error: Could not load (.{1,20}) credentials/.exec(text) ?? [];
  if (service !== undefined) return noCredentials(service);
  // There is no status either when the service was not reached; the text then has the system's error code.
  if (message.terminal_reason === 'api_error' && /\(E[A-Z]+\)/.test(text)) return connection;
  return hintOfStatus(status);
}

/**
 * The service refused the credentials for the second time in a row. The first refusal may be of a token that the agent
 * then renews.
 */
export function isSecondRefusal(message: SystemMessage): message is ApiRetryMessage {
  return message.subtype === 'api_retry' && message.error === 'authentication_failed' && message.attempt >= 2;
}

function hintOfStatus(status: number | null | undefined): Hint | undefined {
  if (typeof status !== 'number') return undefined;
  return byStatus[status] ?? (status > 500 ? byStatus[500] : undefined);
}

/** Whether it is a text with this start. A field may have any type: a frame that fails its check is delivered too. */
export function begins(text: unknown, start: string): boolean {
  return typeof text === 'string' && text.startsWith(start);
}
