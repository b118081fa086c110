import { bytes, delay, record, wholePositive, type Checks } from '@hexagent/checks';

/** What a worker gives to one gateway, or to one request. */
export interface WorkerLimits {
  /** How many bytes the body of a request may have. Default 64 MB: what a page may send is a limit of the gateway's handler. */
  readonly requestBytes: number;
  /** How many connections it has at once. Each stream takes one. Default 10,000. */
  readonly connections: number;
  /** How long a handshake, the headers of a request, and a whole request may take. Default 10 seconds. */
  readonly requestMs: number;
  /** How long a gateway may take nothing of a stream that has something for it. Default 2 minutes. */
  readonly unreadMs: number;
  /** How long `close()` lets answers and streams end by themselves. Default 2 seconds. */
  readonly closeMs: number;
}

/** What a gateway gives to one worker, or to one call. */
export interface GatewayLimits {
  /** How long connecting may take, with its handshake. Default 2 seconds. */
  readonly connectMs: number;
  /** How long a call may take, connecting included. Of one with a stream, until the stream begins. Default 15 seconds. */
  readonly answerMs: number;
  /** The same for a message, which may wait until an agent has started. Default 60 seconds. */
  readonly startMs: number;
  /** How many bytes a call may have. Default 64 MB, as the worker takes them. */
  readonly requestBytes: number;
  /** How many bytes an answer may have, such as a page of the history. Default 16 MB. */
  readonly answerBytes: number;
  /** How many calls and streams may be open at once with one worker. Default 2,000. */
  readonly calls: number;
}

const megabyte = 1024 * 1024;

const ofWorker: WorkerLimits = {
  requestBytes: 64 * megabyte,
  connections: 10_000,
  requestMs: 10_000,
  unreadMs: 120_000,
  closeMs: 2000,
};
const workerChecks: Checks<WorkerLimits> = {
  requestBytes: bytes,
  connections: wholePositive,
  requestMs: delay,
  unreadMs: delay,
  closeMs: delay,
};

const ofGateway: GatewayLimits = {
  connectMs: 2000,
  answerMs: 15_000,
  startMs: 60_000,
  requestBytes: 64 * megabyte,
  answerBytes: 16 * megabyte,
  calls: 2000,
};
const gatewayChecks: Checks<GatewayLimits> = {
  connectMs: delay,
  answerMs: delay,
  startMs: delay,
  requestBytes: bytes,
  answerBytes: bytes,
  calls: wholePositive,
};

/** @throws {TypeError} for an invalid limit, and for the name of an unknown one. */
export const toWorkerLimits = (given: Partial<WorkerLimits> = {}): WorkerLimits => ({
  ...ofWorker,
  ...record<Partial<WorkerLimits>>(workerChecks)(given, 'limits'),
});

/** @throws {TypeError} for an invalid limit, and for the name of an unknown one. */
export const toGatewayLimits = (given: Partial<GatewayLimits> = {}): GatewayLimits => ({
  ...ofGateway,
  ...record<Partial<GatewayLimits>>(gatewayChecks)(given, 'limits'),
});
