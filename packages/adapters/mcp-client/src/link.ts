import type { Exit, JsonRpcMessage } from '@hexagent/ports';
import type { Fields } from './json-rpc.ts';

/** An open way to a server. */
export interface Link {
  /** Never rejects. A request that cannot be delivered is reported to `onUnanswered`, or the link ends. */
  send(message: JsonRpcMessage): Promise<void>;
  /** The request was settled or withdrawn: what is held for its answer is freed. */
  release(id: number): void;
  /** The server has answered `initialize`. */
  introduced(result: Fields): void;
  /** Ends the link and all that it holds. Resolves when it has gone; never rejects. */
  close(): Promise<void>;
}

export interface LinkHandlers {
  readonly onMessage: (message: JsonRpcMessage) => void;
  /** One request gets no answer any more; the others may. */
  readonly onUnanswered: (id: number, why: Ending) => void;
  /** Something of the network failed; maybe the server is gone. */
  readonly onSuspect: () => void;
  /** The link is over. Called once, after the last message. */
  readonly onEnd: (why: Ending) => void;
}

/** Why a link ended or a request was not answered: `why` continues a sentence that begins with the server's name. */
export interface Ending {
  readonly why: string;
  /** How its process left, for a server that was started as one. */
  readonly exit?: Exit | undefined;
  /** The HTTP status it answered with. */
  readonly httpStatus?: number | undefined;
  /** The server is there and has dropped the session, so what it refused was not done. */
  readonly isForgotten?: boolean | undefined;
  /** A person has to act: the server requires other credentials than it was given. */
  readonly auth?:
    | {
        /** Where a person can let this client in. */
        readonly url?: string | undefined;
        /** Gets tokens for the code that the person came back with. */
        readonly finish?: ((code: string) => Promise<void>) | undefined;
      }
    | undefined;
}
