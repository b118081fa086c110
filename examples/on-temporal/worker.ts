/* The process whose agents answer. It asks Temporal for work, so nothing has to reach it. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { DrivenSessions } from '../on-restate/driven-sessions.ts';
import { activitiesOf } from './activities.ts';

const { TEMPORAL = '127.0.0.1:7233', FOLDER = './sessions' } = process.env;
const sessions = new DrivenSessions({ folder: FOLDER, session: { permissions: { allow: ['Read'] } } });
console.log('Left by the process before:', (await sessions.host.recover()).length);
const connection = await NativeConnection.connect({ address: TEMPORAL });
try {
  const worker = await Worker.create({
    connection,
    // The queue of one worker: the sessions are in its folder.
    taskQueue: 'sessions',
    workflowsPath: fileURLToPath(new URL('./session-workflow.ts', import.meta.url)),
    activities: activitiesOf(sessions),
  });
  await worker.run(); // until SIGTERM
} finally {
  await sessions.host.drain();
  await connection.close();
}
