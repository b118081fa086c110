import { errorText, isRecord } from '@hexagent/checks';
import type { Ending } from './link.ts';
import type { Secrets } from './secrets.ts';

const maxText = 300;

/** Why a request failed that the MCP SDK sent: a status is in the `code` of its errors, or in their text. */
export function toEnding(error: unknown, secrets: Secrets): Ending {
  const status = statusOf(error);
  // Redacted first: what is cut off within a secret is not found any more.
  const text = clip(secrets.redact(errorText(error)).replace(/^(?:Streamable HTTP|SSE) error: /, ''));
  if (status === undefined && isUnreadable(error))
    return { why: 'does not answer as an MCP server: its response is no message of JSON-RPC.', httpStatus: 200 };
  if (status === undefined) return { why: `cannot be reached: ${networkText(error, secrets)}.` };
  if (status === wrongType) return { why: `does not answer as an MCP server: ${text}.`, httpStatus: 200 };
  const body = text.replace(/^(?:Error POSTing to endpoint|Non-200 status code)(?: \(\d+\))?:?\s*/, '');
  return { why: `answered HTTP ${status}${body === '' ? '.' : `: ${body}`}`, httpStatus: status };
}

/** The system's reason lies in the cause of what `fetch` throws. */
export function networkText(error: unknown, secrets: Secrets): string {
  const cause: unknown = isRecord(error) ? error['cause'] : undefined;
  return clip(secrets.redact(errorText(cause ?? error)))
    .replace(/^(?:SSE error: |TypeError: |fetch failed: )+/, '')
    .replace(/\.$/, '');
}

/** The body arrived, and is not JSON, or not what the MCP SDK takes for a message. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || (isRecord(error) && Array.isArray(error['issues']));

/** The code of the MCP SDK for an answer of a type that it cannot read. */
const wrongType = -1;

function statusOf(error: unknown): number | undefined {
  const code: unknown = isRecord(error) ? error['code'] : undefined;
  if (typeof code === 'number') return code;
  const [, inText] = /\(HTTP (\d{3})\)/.exec(errorText(error)) ?? [];
  return inText === undefined ? undefined : Number(inText);
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxText ? `${line.slice(0, maxText)}…` : line;
}
