import { request, type Agent } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Place } from './places.ts';

export interface Posting {
  readonly agent: Agent;
  readonly place: Place;
  readonly path: string;
  readonly body: Uint8Array;
}

/** A request on its way. */
export interface Posted {
  /** The answer, as soon as its headers are here. */
  readonly answer: Promise<IncomingMessage>;
  /** Whether the other end may have closed the connection before this was sent: it was not a new one. */
  readonly isReused: () => boolean;
  /** Closes the connection, at any time. */
  readonly cut: (error: Error) => void;
}

/** Sends one request over a connection that is there, or a new one. */
export function post({ agent, place: { host, port }, path, body }: Posting): Posted {
  const headers = { 'content-type': 'application/json', 'content-length': body.byteLength };
  const sent = request({ agent, host, port, path, method: 'POST', headers, maxHeaderSize: 16_384 });
  let incoming: IncomingMessage | undefined;
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', (response) => {
      incoming = response;
      resolve(response);
    });
    // Stays: what fails behind the answer is reported by the answer.
    sent.on('error', reject);
  });
  sent.end(body);
  return {
    answer,
    isReused: () => sent.reusedSocket,
    cut: (error) => (incoming ?? sent).destroy(error),
  };
}
