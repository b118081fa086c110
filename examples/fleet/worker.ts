/*
 * A worker: it runs the agents of chats. What it has to know is in its environment; `npm run fleet` and the manifests run this very file.
 * SIGTERM gives its chats to the other workers and ends it, SIGINT ends it at once.
 */
import { createWorker } from '@hexagent/chat';
import { listed, ownAddress, required, startOrExit } from './environment.ts';

await startOrExit('The worker', async () => {
  const ranges = listed('FLEET_RANGES');
  const worker = await createWorker({
    postgres: required('DATABASE_URL'),
    identity: { key: required('FLEET_KEY') },
    address: process.env['FLEET_ADDRESS'] ?? ownAddress(ranges),
    ranges,
    hosting: { autoResume: 'continue', maxLive: Number(process.env['MAX_AGENTS'] ?? 20) },
    permissionModes: ['acceptEdits'],
    // Agents get an allow list of this environment, on which neither the key nor the database is.
    session: { cwd: required('WORK_FOLDER') },
  });
  process.once('SIGTERM', () => void worker.drain());
  process.once('SIGINT', () => void worker.close());
  // The program that started it has gone, where one has.
  process.once('disconnect', () => void worker.close());
  // Waiting for that keeps no worker alive that has ended.
  process.channel?.unref();
  console.log(`The worker is at ${worker.address}`);
});
