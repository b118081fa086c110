import { onAbort } from '@hexagent/async';
import { errorText, isRecord } from '@hexagent/checks';
import { AbortError, SdkError, type RequestOptions } from '@hexagent/ports';
import type { KnownServers } from './known-servers.ts';
import type { McpToolResult } from './session-mcp.ts';

type Asking = Pick<KnownServers, 'hosted' | 'clock' | 'ended'>;

interface Question {
  readonly name: string;
  readonly method: string;
  readonly params: object;
}

let count = 0;

/** Asks a server of this process directly: the agent refuses to. Ends with the session, whatever the server does. */
export async function askHosted(
  { hosted, clock, ended }: Asking,
  { name, method, params }: Question,
  { signal, timeoutMs = 0 }: RequestOptions,
): Promise<unknown> {
  const call = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    onAbort(call.signal, reject);
  });
  const late = (): void =>
    call.abort(new SdkError('REQUEST_TIMEOUT', `The MCP server ${name} did not answer within ${timeoutMs} ms.`));
  const stopClock = timeoutMs > 0 ? clock.after(timeoutMs, late, { keepsAlive: true }) : () => {};
  const ignoreAbort = onAbort(signal, (cause) => call.abort(new AbortError(undefined, { cause })));
  const ignoreEnd = onAbort(ended, () =>
    call.abort(new SdkError('CONVERSATION_CLOSED', `The session ended before the MCP server ${name} answered.`)),
  );
  try {
    // An id that the agent, which counts in the same session, does not use.
    const message = { jsonrpc: '2.0', id: `hexagent:${(count += 1)}`, method, params } as const;
    const asked = call.signal.aborted ? stopped : hosted.ask(name, message, { signal: call.signal });
    const reply = await Promise.race([asked, stopped]);
    if (reply?.error === undefined) return reply?.result;
    throw new SdkError('REQUEST_FAILED', `The MCP server ${name} refused \`${method}\`: ${errorText(reply.error)}`);
  } finally {
    stopClock();
    ignoreAbort();
    ignoreEnd();
    stopped.catch(() => {});
  }
}

/** The agent makes an error of a result that reports a failure, and so it is with servers of this process. */
export function toolResultOf(result: unknown, tool: string): McpToolResult {
  if (!isRecord(result))
    throw new SdkError('REQUEST_FAILED', `The tool ${tool} returned no result.`, { cause: result });
  if (result['isError'] !== true) return result;
  const content = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : [];
  const texts = content.flatMap((block) =>
    isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  throw new SdkError('REQUEST_FAILED', `The tool ${tool} failed: ${texts.join('\n')}`, { cause: result });
}
