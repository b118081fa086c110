import { Deferred } from '@hexagent/async';
import { isRecord } from '@hexagent/checks';
import type { Exchange } from './exchange.ts';
import type { AuthProvider } from './server-options.ts';
import type { Secrets } from './secrets.ts';

/**
 * Lets one message at a time sign in. When a token has expired, all that is under way is refused at once; a refresh token
 * may often be used only once, and a person should be sent to one page and not to twenty.
 */
export class SignIn {
  readonly #provider: AuthProvider;
  #holder: { readonly exchange: Exchange; readonly left: Deferred<void> } | undefined;

  #isOver = false;

  constructor(provider: AuthProvider) {
    this.#provider = provider;
  }

  /** No sign-in is under way any more. */
  end(): void {
    this.#isOver = true;
  }

  /** Resolves when it is this one's turn, with the token that another one has obtained meanwhile. */
  async enter(exchange: Exchange, refused: string | null): Promise<string | undefined> {
    while (this.#holder !== undefined && this.#holder.exchange !== exchange) await this.#holder.left.promise;
    // Another attempt has found that a person is needed: trying again would send that person to a second page.
    if (this.#isOver) throw new Error('the connection has ended');
    this.#holder ??= { exchange, left: new Deferred() };
    const tokens = await this.#provider.tokens();
    const token = isRecord(tokens) ? tokens['access_token'] : undefined;
    const authorization = `Bearer ${String(token)}`;
    return token === undefined || authorization === refused ? undefined : authorization;
  }

  leave(exchange: Exchange): void {
    if (this.#holder?.exchange !== exchange) return;
    this.#holder.left.resolve();
    this.#holder = undefined;
  }
}

/** The program's provider, as the MCP SDK uses it: what it hands out is secret, and where it sends a person is noted. */
export function observedProvider(
  provider: AuthProvider,
  { secrets, redirected }: { readonly secrets: Secrets; readonly redirected: (url: string) => void },
): AuthProvider {
  const note = (value: unknown): void => {
    if (!isRecord(value)) return;
    for (const name of ['access_token', 'refresh_token', 'id_token', 'client_secret']) secrets.add(value[name]);
  };
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        if (name === 'redirectToAuthorization') redirected(String(args[0]));
        note(args[0]);
        const result: unknown = await Reflect.apply(value, target, args);
        note(result);
        return result;
      };
    },
  });
}
