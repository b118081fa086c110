import { errorJson } from './message.ts';

/** A response that is not streamed. */
export interface PlainAnswer {
  readonly status: number;
  readonly json: string;
}

/**
 * Answers every request that does not ask for a message, so that no probe of the CLI waits, retries or reports a failure.
 * Token counts are a quarter of the body's length: stable, and exact enough for the CLI.
 */
export function answerOther(method: string, pathname: string, raw: string): PlainAnswer {
  if (pathname === '/v1/messages/count_tokens') {
    return { status: 200, json: JSON.stringify({ input_tokens: Math.ceil(raw.length / 4) }) };
  }
  if (pathname === '/v1/messages') return { status: 400, json: failure('invalid_request_error', 'No messages in it.') };
  if (method === 'HEAD' || pathname === '/api/hello') return { status: 200, json: '{}' };
  return { status: 404, json: failure('not_found_error', `The loopback model has no ${method} ${pathname}.`) };
}

function failure(errorType: string, message: string): string {
  return errorJson(errorType, message, 'req_loopback');
}
