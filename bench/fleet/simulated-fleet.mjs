// Workers with instant agents in this process, over one PostgreSQL, and a gateway that finds them as it does over the network.
import { setTimeout as wait } from 'node:timers/promises';
import { createClaims, FleetChats } from '@hexagent/fleet';
import { SessionHost } from '@hexagent/hosting';
import { SdkError } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { instantAgents } from './instant-agent.mjs';

/** Counts the turns by their messages, and the agents that live by their tenants. */
function counting() {
  const runs = new Map();
  const waiting = new Map();
  const live = new Map();
  const most = new Map();
  let ends = 0;
  return {
    runs,
    live,
    most,
    get ends() {
      return ends;
    },
    /** Resolves when an agent has answered the message. */
    ended: (uuid) => new Promise((resolve) => void waiting.set(uuid, resolve)),
    events: {
      began: (uuid) => void runs.set(uuid, (runs.get(uuid) ?? 0) + 1),
      ended(uuid) {
        ends += 1;
        waiting.get(uuid)?.();
        waiting.delete(uuid);
      },
      lives(tenant, change) {
        const count = (live.get(tenant) ?? 0) + change;
        live.set(tenant, count);
        most.set(tenant, Math.max(most.get(tenant) ?? 0, count));
      },
    },
  };
}

/** What the door of a worker does with a message, without what is shown of the turn. */
function doorOf(host) {
  const start = async (chatId, { id, content }, options, { tenant }) => {
    try {
      await host.create(chatId, { tenant, unlessFull: { content } });
      const { kind, isElsewhere } = await host.send(chatId, { uuid: id, content });
      if (isElsewhere) return { kind: 'elsewhere' };
      return { kind, stream: undefined };
    } catch (error) {
      if (SdkError.is(error) && error.code === 'HOST_FULL') return { kind: 'full' };
      throw error;
    }
  };
  return { sessions: { start }, states: async () => ({}) };
}

export const sessionName = (number) => `session ${number}`;

export async function simulatedFleet(
  database,
  { workers: count, tenants, leaseMs = 5000, turnMs, connections, name = 1, ...limits },
) {
  const counted = new Map();
  const counts = counting();
  const workers = new Map();
  let number = 0;
  const tenantOf = (session) => `tenant ${session % tenants}`;
  const join = async (own = {}) => {
    const open = instantAgents({ ...counts.events, turnMs, ...own });
    number += 1;
    const address = `https://127.0.0.${name}:${number}`;
    const stores = await database.stores({ counted, connections, leaseMs });
    const claims = createClaims({ ...stores, clock: systemClock });
    const ids = { uuid: () => crypto.randomUUID() };
    const host = new SessionHost({ ...stores, ...limits, ...own, open, address, claims, clock: systemClock, ids });
    await host.recover();
    const worker = { address, host, stores, door: doorOf(host) };
    workers.set(address, worker);
    return worker;
  };
  for (let each = 0; each < count; each += 1) await join();
  const stores = await database.stores({ counted, connections, leaseMs });
  const unreachable = () => {
    throw new SdkError('WORKER_UNREACHABLE', 'It has gone.');
  };
  const gateway = new FleetChats({
    ...stores,
    keyOf: (chatId) => chatId,
    reach: ({ address }) => workers.get(address)?.door ?? { sessions: { start: unreachable }, states: unreachable },
    clock: systemClock,
    giveUpAfterMs: leaseMs + 5000,
  });
  return {
    counted,
    counts,
    workers,
    stores,
    join,
    tenantOf,
    /** Stores the records of sessions that have begun. */
    async plant(sessions) {
      const now = Date.now();
      const plantOne = (each) =>
        stores.directory.put(
          {
            id: sessionName(each),
            sessionId: crypto.randomUUID(),
            tenant: tenantOf(each),
            begun: 'yes',
            createdAt: now,
            updatedAt: now,
            facts: {},
          },
          0,
        );
      for (let at = 0; at < sessions; at += 100)
        await Promise.all(Array.from({ length: Math.min(100, sessions - at) }, (_, each) => plantOne(at + each)));
      await database.query('analyze');
    },
    /** What a gateway does with a message. Resolves with how it was accepted. */
    send: (session, uuid) =>
      gateway.sessions.start(
        sessionName(session),
        { id: uuid, content: 'go' },
        {},
        { name: 'ada', tenant: tenantOf(session) },
      ),
    async drain(worker) {
      await worker.host.drain();
      workers.delete(worker.address);
      await worker.stores.close();
    },
    async close() {
      gateway.close();
      await Promise.all([...workers.values()].map(({ host }) => host.close()));
    },
  };
}

/** Keeps so many messages under way until `isOver()`. Resolves with how long each took to be accepted. */
export async function load(fleet, { sessions, clients, isOver, perSecond }) {
  const [accepted, refused, sent] = [[], [], []];
  const client = async () => {
    while (!isOver()) {
      const [session, uuid] = [Math.floor(Math.random() * sessions), crypto.randomUUID()];
      const ended = fleet.counts.ended(uuid);
      const began = performance.now();
      try {
        const { kind } = await fleet.send(session, uuid);
        accepted.push(performance.now() - began);
        if (kind !== 'accepted' && kind !== 'elsewhere') refused.push(kind);
        else {
          sent.push(uuid);
          await ended;
        }
      } catch (error) {
        refused.push(error);
      }
      if (perSecond !== undefined) await wait(Math.max(0, (clients / perSecond) * 1000 - (performance.now() - began)));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { accepted: accepted.toSorted((one, other) => one - other), refused, sent };
}

export const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
