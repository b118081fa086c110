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

interface Asking {
  readonly context: McpCallContext;
  readonly server: McpServer;
  readonly clock: Clock;
}

/**
 * Asks a server, and ends a call of a tool that takes longer than its `timeout`. The agent has such a limit too, but ignores
 * one of less than a second, and that of a server that came while the conversation continued.
 */
export async function askInTime(
  session: McpSession,
  message: JsonRpcMessage,
  { context, server, clock }: Asking,
): Promise<JsonRpcMessage | undefined> {
  const { timeout = 0 } = server.config ?? {};
  if (message.method !== 'tools/call' || timeout <= 0 || timeout >= noLimitMs)
    return await session.handle(message, context);
  const call = new AbortController();
  const late = new Deferred<JsonRpcMessage>();
  const stopClock = clock.after(timeout, () => {
    const why = `The tool ${toolOf(message)} of the MCP server ${server.name} did not answer within ${timeout} ms.`;
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
