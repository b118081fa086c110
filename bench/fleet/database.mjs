// A PostgreSQL of its own for a measurement, and what it costs.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { postgresStores } from '@hexagent/postgres';
import { Pool } from 'pg';
import { serverKinds, startServer } from '../../examples/fleet/postgres-server.ts';

const ticksPerMs = 0.1;

/** The fields of /proc/PID/stat from the third on. */
const statOf = (pid) => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** Milliseconds of processor time of a server with all its processes, also those that have ended. */
function serverCpuMs(postmaster) {
  const [, , , , , , , , , , , own, ownSystem, children, childrenSystem] = statOf(postmaster).map(Number);
  let ticks = own + ownSystem + children + childrenSystem;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = statOf(pid);
      if (Number(stat[1]) === postmaster) ticks += Number(stat[11]) + Number(stat[12]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / ticksPerMs;
}

/** What a server does with its disk: with `durable`, as one that is to survive the machine. */
const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', shared_buffers: '256MB' };
const quick = { shared_buffers: '256MB' };
const watched = process.env.BENCH_WATCH ? { shared_preload_libraries: 'pg_stat_statements' } : {};

export async function openDatabase({ isDurable = true } = {}) {
  const server = await startServer(serverKinds[0], { ...(isDurable ? durable : quick), ...watched });
  const { address } = server;
  const postmaster = Number(readFileSync(path.join(address.host, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const database = connectTo(address);
  return {
    ...database,
    cpuMs: () => serverCpuMs(postmaster),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The same server, from any process. */
export function connectTo(address) {
  const admin = new Pool(address);
  admin.on('error', () => {});
  const opened = [];
  return {
    address,
    async query(text, values) {
      return (await admin.query(text, values)).rows;
    },
    /** Stores with connections of their own, as one process has them, that count their statements by their texts. */
    async stores({ counted = new Map(), connections = 10, ...options } = {}) {
      const pool = new Pool({ ...address, max: connections });
      pool.on('error', () => {});
      // `end()` does not wait until its connections are closed: these may report that the server ends.
      pool.on('connect', (client) => client.on('error', () => {}));
      const query = pool.query.bind(pool);
      let isDead = false;
      pool.query = (statement) => {
        const { text } = statement;
        if (isDead) return new Promise(() => {});
        counted.set(text, (counted.get(text) ?? 0) + 1);
        return query(statement);
      };
      const stores = postgresStores({ pool, ...options });
      const close = async () => {
        if (isDead) return;
        await stores.close();
        await pool.end();
      };
      opened.push(close);
      // As after a power cut: nothing is asked any more, and nothing is given back.
      const die = () => {
        isDead = true;
        stores.leases.keep = () => new Promise(() => {});
      };
      return { ...stores, close, die };
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(opened.map((close) => close()));
      await admin.end();
    },
  };
}
