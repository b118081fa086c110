import type { Exit, SdkError } from '@hexagent/ports';

/** The state of a server, as a value; each change is a new one. */
export type ServerStatus =
  /** No session needs it, so there is no connection. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  /** `introduction` is its answer to `initialize`: its name, version and capabilities. */
  | { readonly state: 'connected'; readonly introduction: Readonly<Record<string, unknown>> }
  /** The connection broke, and is tried again in `inMs`: the `attempt`th time of `attempts`. */
  | (ServerFailure & {
      readonly state: 'reconnecting';
      readonly attempt: number;
      readonly attempts: number;
      readonly inMs: number;
    })
  /** A person has to act: at `url`, where the sign-in named a page, or by other credentials. */
  | (ServerFailure & { readonly state: 'auth'; readonly url?: string | undefined })
  /** It is tried again when a session introduces itself, or by `connect()`. */
  | (ServerFailure & { readonly state: 'failed' });

export interface ServerFailure {
  /** One sentence, without secrets. */
  readonly why: string;
  /** How its process left, with the end of its error stream. */
  readonly exit?: Exit | undefined;
  /** The HTTP status it answered with. */
  readonly httpStatus?: number | undefined;
  /** A failure that has a code of ours. */
  readonly error?: SdkError | undefined;
}
