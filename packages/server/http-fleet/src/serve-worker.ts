import { notify } from '@hexagent/async';
import { callable, errorText, given, hasCode, having, record, shown, text } from '@hexagent/checks';
import type { ChatDoor } from '@hexagent/ports';
import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { isIP, type AddressInfo, type Socket } from 'node:net';
import { answerRequest } from './answer-request.ts';
import { toTls, type FleetIdentity, type FleetTls } from './identity.ts';
import { toWorkerLimits, type WorkerLimits } from './limits.ts';
import { addressOf, Places, type Place } from './places.ts';
import { after, longest } from './timer.ts';

export interface ServeWorkerOptions {
  /** The chats of this process. */
  readonly door: ChatDoor;
  /** Where gateways reach this worker: `https://IP:port`, within the ranges. With the port 0 the system chooses one. */
  readonly address: string;
  /** The IP to listen at, where it is not that of the address: in a container, `0.0.0.0`. */
  readonly listen?: string | undefined;
  readonly identity: FleetIdentity;
  /** The addresses of the fleet, such as `10.0.0.0/8`. Default: those of this machine. */
  readonly ranges?: readonly string[] | undefined;
  readonly limits?: Partial<WorkerLimits> | undefined;
  /** Receives what fails behind the door, and each second at most one connection that was refused. */
  readonly onError: (error: unknown) => void;
}

export interface ServedWorker {
  /** The address, with the port that it has. */
  readonly address: string;
  /** Takes no more calls. What runs may end within a moment, and is then cut. Never rejects. */
  close(): Promise<void>;
}

/**
 * Offers the chats of this process to the gateways of its fleet. Settles once it listens, and rejects with the error of Node where it cannot.
 * @throws {TypeError} for options that make no sense, and for an address that the ranges do not have.
 */
export async function serveWorker(options: ServeWorkerOptions): Promise<ServedWorker> {
  const { door, place, tls, limits, listen, onError } = checked(options);
  const failed = (error: unknown): void => notify(() => onError(error));
  const state = { isClosing: false };
  const server = createServer({ ...tls, ...timesOf(limits) }, (incoming, outgoing) => {
    // What has ended is idle, and a worker that closes has no use for it.
    outgoing.once('close', () => state.isClosing && server.closeIdleConnections());
    answerRequest({ door, limits, failed, isClosing: state.isClosing }, incoming, outgoing);
  });
  server.maxConnections = limits.connections;
  reportRefused(server, failed);
  const sockets = socketsOf(server);
  server.listen({ host: listen ?? place.host, port: place.port });
  await once(server, 'listening');
  server.on('error', failed);
  const { port } = server.address() as AddressInfo; // it listens at an IP
  let closing: Promise<void> | undefined;
  return {
    address: addressOf({ host: place.host, port }),
    async close() {
      state.isClosing = true;
      closing ??= closed(server, sockets, limits.closeMs);
      await closing;
    },
  };
}

interface Checked {
  readonly door: ChatDoor;
  readonly place: Place;
  readonly listen: string | undefined;
  readonly tls: FleetTls['server'];
  readonly limits: WorkerLimits;
  readonly onError: (error: unknown) => void;
}

const optionsCheck = record<ServeWorkerOptions>(
  {
    door: having<ChatDoor>('states'),
    address: text(),
    listen: text(),
    identity: given(),
    ranges: given(),
    limits: given(),
    onError: callable(),
  },
  { required: ['door', 'address', 'identity', 'onError'], called: 'the options of serveWorker()' },
);

function checked(options: ServeWorkerOptions): Checked {
  const { door, address, listen, identity, ranges, limits, onError } = optionsCheck(options, '');
  const place = new Places(ranges).find(address);
  if (place === undefined)
    throw new TypeError(`\`address\` must be https://IP:port with an IP within \`ranges\`, not ${shown(address)}.`);
  if (listen !== undefined && isIP(listen) === 0)
    throw new TypeError(`\`listen\` must be an IP, not ${shown(listen)}.`);
  return { door, place, listen, tls: toTls(identity).server, limits: toWorkerLimits(limits), onError };
}

/** Half of a handshake, of the headers or of a body holds a connection no longer than this. */
function timesOf({ requestMs }: WorkerLimits): ServerOptions {
  const ms = Math.min(requestMs, longest);
  return {
    handshakeTimeout: ms,
    headersTimeout: ms,
    requestTimeout: ms,
    connectionsCheckingInterval: Math.min(1000, ms),
    keepAliveTimeout: 30_000,
    maxHeaderSize: 4096,
    noDelay: true,
    // Notices a gateway whose machine has gone.
    keepAlive: true,
    keepAliveInitialDelay: 10_000,
  };
}

/** An attacker could fill a log, so at most one each second is reported. Who only connects and leaves is a probe of the machine. */
function reportRefused(server: Server, failed: (error: unknown) => void): void {
  let last = -Infinity;
  server.on('tlsClientError', (cause, { remoteAddress, authorizationError }) => {
    if (hasCode(cause, 'ECONNRESET') && !authorizationError) return;
    if (performance.now() - last < 1000) return;
    last = performance.now();
    const why = authorizationError ? ` (${errorText(authorizationError)})` : '';
    const check =
      'Check that it is a gateway, and that both have the same key, or valid certificates of the same authority.';
    failed(new Error(`A connection from ${remoteAddress ?? 'a closed one'} was refused${why}. ${check}`, { cause }));
  });
}

/** All of them, with those whose handshake has not ended, of which an HTTP server does not know. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

async function closed(server: Server, sockets: ReadonlySet<Socket>, ms: number): Promise<void> {
  const cancel = after(ms, () => {
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  cancel();
}
