import { randomBytes } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from '../chat/build-page.ts';
import { openPlace, type Place } from '../chat/place.ts';
import { openBrowser, Problem, untilSignal } from '../chat/program.ts';
import { serve, type Handle } from '../chat/serve.ts';
import { frontOf } from './front.ts';
import { startMember, type Environment, type Member } from './members.ts';
import { serverKinds, startServer, type Server } from './postgres-server.ts';
import { Workers } from './workers.ts';

export interface Flags {
  readonly port: number;
  readonly open: boolean;
}

/** Runs the fleet until a signal ends it; returns the exit code. */
export const run = (flags: Flags): Promise<number> => untilSignal('The fleet', (left) => runUntil(left, flags));

async function runUntil(left: Promise<number>, { port, open }: Flags): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const place = opened.adopt(await openPlace({ live: false, folder: undefined }), (each) => each.close());
  let handle: Handle = async () => new Response(null, { status: 503 });
  // The page shows a stream that broke off.
  const onError = (): void => {};
  // First of all: the port may be in use.
  const served = await serve({ page: place.page, handle: (request) => handle(request), port, onError });
  const server = opened.adopt(served, (each) => each.close());
  await preparePage(place.page);
  const database = opened.use(await startDatabase());
  const env = environmentOf(place, database);
  const workers = opened.adopt(new Workers(database.address, env), (all) => all.close());
  const gateways: Member[] = [];
  const startGateway = async (): Promise<void> => {
    gateways.push(opened.adopt(await startMember('gateway', env), (gateway) => gateway.end()));
  };
  // The first one makes the tables.
  await startGateway();
  const starting = [startGateway(), workers.start(), workers.start(), workers.start()];
  // Where one fails, the others have to be there to be ended.
  await Promise.allSettled(starting);
  await Promise.all(starting);
  handle = frontOf(gateways, workers);
  console.log(`The chat is at ${server.url}\nThree workers run its agents: kill one. Ctrl-C ends all of it.`);
  if (open && process.stdout.isTTY) openBrowser(server.url);
  return await Promise.race([left, endOfInput()]);
}

async function startDatabase(): Promise<Server> {
  const [kind] = serverKinds;
  const remedy = 'Install PostgreSQL 15 or later; as root, set TMPDIR to a folder that other users can reach.';
  if (kind === undefined)
    throw new Problem(`npm brings no PostgreSQL for ${process.platform} ${process.arch}. ${remedy}`);
  try {
    return await startServer(kind);
  } catch (cause) {
    throw new Problem(
      `PostgreSQL does not start here (${cause instanceof Error ? cause.message : String(cause)}). ${remedy}`,
    );
  }
}

/** What the manifests give to a worker and a gateway, for this machine. */
function environmentOf({ work, session }: Place, { address: { host, user, database } }: Server): Environment {
  return {
    ...session.env?.set,
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    FLEET_KEY: randomBytes(32).toString('hex'),
    FLEET_ADDRESS: 'https://127.0.0.1:0',
    WORK_FOLDER: work,
    PORT: '0',
  };
}

/** The page of the chat, with the panel beside it. */
async function preparePage(folder: string): Promise<void> {
  await buildPage(folder, { isScript: true });
  const index = path.join(folder, 'index.html');
  const panel = fileURLToPath(new URL('panel', import.meta.url));
  for (const name of ['panel.js', 'panel.css']) await copyFile(path.join(panel, name), path.join(folder, name));
  // A browser keeps files under their names.
  const version = Date.now();
  const tags = `<link rel="stylesheet" href="/panel.css?${version}"><script type="module" src="/panel.js?${version}"></script>`;
  await writeFile(index, (await readFile(index, 'utf8')).replace('</head>', `${tags}</head>`));
}

/** Of Ctrl-D. What is not a terminal may have no input from the beginning. */
function endOfInput(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  if (process.stdin.isTTY)
    process.stdin
      .once('end', () => resolve(0))
      .resume()
      .unref();
  return promise;
}
