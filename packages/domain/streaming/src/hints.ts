import type { AgentMessage, Hint } from '@hexagent/ports';

/** What a status of the model's service usually means, and what to do about it. */
const byStatus: Readonly<Record<number, Hint>> = {
  400: {
    kind: 'invalid_request',
    remedy: 'The service refused the request as malformed: look at the message, at attachments and at the model name.',
  },
  401: {
    kind: 'authentication',
    remedy: 'Set ANTHROPIC_API_KEY to a valid key, or log in with `claude` and `/login`.',
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

/**
 * What a message says about a failing service, at the first sign: the agent may go on retrying for minutes.
 * `undefined` for every message that is not about that.
 */
export function hintOf(message: AgentMessage): Hint | undefined {
  if (message.type === 'system' && message.subtype === 'api_retry')
    return message.error_status === null ? connection : hintOfStatus(message.error_status);
  if (message.type !== 'result' || !message.is_error) return undefined;
  // Without credentials nothing is asked of the service, so there is no status.
  if (begins(message.result, 'Not logged in')) return byStatus[401];
  // Nor is there one where the service was not reached; then the system's own code for it is told.
  if (message.terminal_reason === 'api_error' && /\(E[A-Z]+\)/.test(message.result ?? '')) return connection;
  return hintOfStatus(message.api_error_status);
}

function hintOfStatus(status: number | null | undefined): Hint | undefined {
  if (typeof status !== 'number') return undefined;
  return byStatus[status] ?? (status > 500 ? byStatus[500] : undefined);
}

/** For fields that a frame which fails its check may hold anything in. */
export function begins(text: unknown, start: string): boolean {
  return typeof text === 'string' && text.startsWith(start);
}
