import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ChatSummary } from '@hexagent/ports';
import { placeIn, type Place } from '../postgres/places.ts';
import type { ServerAddress } from '../postgres/servers.ts';
import type { FleetProgramOptions, FleetReport } from './fleet-program.ts';

const program = fileURLToPath(new URL('fleet-program.ts', import.meta.url));

export interface Member {
  /** Of a worker for gateways, of a gateway for pages. */
  readonly address: string;
  readonly process: ChildProcess;
  /** The texts of the messages that its agents began with. */
  readonly ran: readonly string[];
  /** Resolves when it has exited. */
  kill(): Promise<void>;
  drain(): void;
}

export interface Fleet extends AsyncDisposable {
  readonly place: Place;
  /** The identity of all that there are. */
  readonly key: string;
  /** What all that there are ran, in any order. */
  readonly ran: readonly string[];
  worker(options?: Partial<FleetProgramOptions>): Promise<Member>;
  gateway(options?: Partial<FleetProgramOptions>): Promise<Member>;
  /** The worker that drives a chat. */
  holder(chat: string): Promise<Member | undefined>;
}

/** Workers and gateways in processes of their own, over one schema. */
export function fleetIn(server: ServerAddress, common: Partial<FleetProgramOptions> = {}): Fleet {
  const place = placeIn(server);
  const stores = place.open();
  const key = randomBytes(32).toString('hex');
  const [members, ran]: [Member[], string[]] = [[], []];
  const start = async (role: string, options: Partial<FleetProgramOptions> = {}): Promise<Member> => {
    const all = { pool: server, schema: place.schema, key, leaseMs: 5000, ...common, ...options };
    const member = await startMember(role, all, (text) => ran.push(text));
    members.push(member);
    return member;
  };
  return {
    place,
    key,
    ran,
    worker: (options) => start('worker', options),
    gateway: (options) => start('gateway', options),
    async holder(chat) {
      const address = (await stores.leases.where(chat))?.address;
      return members.find((member) => member.address === address);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(members.map((member) => end(member.process)));
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Starts a worker or a gateway, by a command before its own where there is one. Resolves when it can be reached. */
export async function startMember(
  role: string,
  options: FleetProgramOptions,
  onRan: (text: string) => void = () => {},
  before: readonly string[] = [],
): Promise<Member> {
  const own = [process.execPath, '--conditions=@hexagent/source', '--no-warnings', program, role];
  const [command, ...args] = [...before, ...own, JSON.stringify(options)];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  // One that was killed reads nothing.
  child.stdin.on('error', () => {});
  const ran: string[] = [];
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { kind, text } = JSON.parse(line) as FleetReport; // the program wrote it
    if (kind === 'ready') ready.resolve(text);
    else onRan((ran.push(text), text));
  });
  child.on('exit', (code, signal) => ready.reject(new Error(`The ${role} has exited: ${code ?? signal}.`)));
  return {
    address: await ready.promise,
    process: child,
    ran,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    drain: () => void child.stdin.write('drain\n'),
  };
}

/** Ends it in order, and after ten seconds at once. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGCONT');
  child.stdin?.end();
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(late);
}

/** What a page does, at any gateway. */
export const page = {
  send: (gateway: Member, chat: string, text: string, id: string = crypto.randomUUID()): Promise<Response> =>
    fetch(`${gateway.address}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: chat, message: { id, role: 'user', parts: [{ type: 'text', text }] } }),
    }),
  stream: (gateway: Member, chat: string, after?: string): Promise<Response> =>
    fetch(`${gateway.address}/chat/${chat}/stream`, { headers: after === undefined ? {} : { 'last-event-id': after } }),
  post: (gateway: Member, path: string, body: object = {}): Promise<Response> =>
    fetch(`${gateway.address}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  chats: async (gateway: Member): Promise<readonly Pick<ChatSummary, 'id' | 'state'>[]> => {
    const body: unknown = await (await fetch(`${gateway.address}/sessions`)).json();
    return Reflect.get(Object(body), 'sessions') as readonly ChatSummary[]; // as the handler answers
  },
};

/** The text that a stream of a turn has. */
export async function textOf(response: Response): Promise<string> {
  const deltas = [...(await response.text()).matchAll(/^data: (\{"type":"text-delta".*)$/gm)];
  return deltas.map(([, json = '{}']) => String(Reflect.get(JSON.parse(json), 'delta'))).join('');
}
