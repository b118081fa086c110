import { hasCode } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { maxResumptions } from './guarded-fetch.ts';
import type { AuthProvider, HttpFetch, HttpServer } from './server-options.ts';

/** What the transports of the MCP SDK have beside its interface for them. */
export interface HttpTransport extends Transport {
  terminateSession?(): Promise<void>;
  finishAuth(authorizationCode: string): Promise<void>;
}

export interface LoadedTransport {
  readonly transport: HttpTransport;
  /** Nothing continues before a person has let this client in. */
  readonly isUnauthorized: (error: unknown) => boolean;
}

/**
 * Loads the MCP SDK. Nothing else of this package does.
 * @throws {SdkError} `MCP_SDK_MISSING`
 */
export async function loadTransport(
  { url, type }: HttpServer,
  provider: AuthProvider | undefined,
  fetch: HttpFetch,
): Promise<LoadedTransport> {
  const options: StreamableHTTPClientTransportOptions = {
    fetch,
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 10_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: maxResumptions,
    },
  };
  // It has the methods that the MCP SDK calls; that they return what it expects is between the two.
  if (provider !== undefined) options.authProvider = provider as NonNullable<typeof options.authProvider>;
  try {
    const { UnauthorizedError } = await import('@modelcontextprotocol/sdk/client/auth.js');
    const isUnauthorized = (error: unknown): boolean => error instanceof UnauthorizedError;
    if (type === 'sse') {
      const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
      return { transport: new SSEClientTransport(new URL(url), options), isUnauthorized };
    }
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return { transport: new StreamableHTTPClientTransport(new URL(url), options), isUnauthorized };
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const message = 'It has a url, which needs the package @modelcontextprotocol/sdk, and that is not installed.';
    throw new SdkError('MCP_SDK_MISSING', message, { cause });
  }
}

const isMissing = (error: unknown): boolean => hasCode(error, 'ERR_MODULE_NOT_FOUND');
