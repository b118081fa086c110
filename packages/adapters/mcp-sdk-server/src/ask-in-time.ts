import { isRecord } from '@hexagent/checks';
import {
  rpcCodes,
  type Clock,
  type JsonRpcMessage,
  type McpCallContext,
  type McpServer,
  type McpSession,
} from '@hexagent/ports';
import { Deferred, onAbort } from '@hexagent/async';

/** A timer cannot wait longer; a server that is given so much has no limit. */
const noLimitMs = 2 ** 31 - 1;

export interface AskedServer {
  readonly session: McpSession;
  /** `undefined` where it was removed meanwhile. */
  readonly server: McpServer | undefined;
  readonly clock: Clock;
}

/**
 * Asks a server, and ends a call of a tool that takes longer than its `timeout`. The agent has such a limit too, but ignores
 * one of less than a second, and that of a server that came while the conversation continued.
 */
export function askInTime(
  asked: AskedServer,
  message: JsonRpcMessage,
  context: McpCallContext,
): Promise<JsonRpcMessage | undefined> {
  const { timeout = 0 } = asked.server?.config ?? {};
  const hasLimit = message.method === 'tools/call' && timeout > 0 && timeout < noLimitMs;
  return hasLimit ? askWithin(timeout, asked, { message, context }) : asked.session.handle(message, context);
}

async function askWithin(
  timeoutMs: number,
  { session, server, clock }: AskedServer,
  { message, context }: { readonly message: JsonRpcMessage; readonly context: McpCallContext },
): Promise<JsonRpcMessage | undefined> {
  const call = new AbortController();
  const late = new Deferred<JsonRpcMessage>();
  const stopClock = clock.after(timeoutMs, () => {
    const why = `The tool ${toolOf(message)} of the MCP server ${server?.name} did not answer within ${timeoutMs} ms.`;
    // Before the call is aborted: the session answers that too.
    late.resolve({ jsonrpc: '2.0', id: message.id, error: { code: rpcCodes.timedOut, message: why } });
    call.abort(new Error(why));
  });
  const ignoreAbort = onAbort(context.signal, (reason) => call.abort(reason));
  try {
    return await Promise.race([session.handle(message, { signal: call.signal }), late.promise]);
  } finally {
    stopClock();
    ignoreAbort();
  }
}

const toolOf = ({ params }: JsonRpcMessage): string => String(isRecord(params) ? params['name'] : params);
