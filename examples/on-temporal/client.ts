/* Sends a message and waits, lists the question of a session, or answers it: each from a process of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { answer, end, question, send, session } from './session-workflow.ts';

const [command, workflowId = '', text = '', last = ''] = process.argv.slice(2);
const connection = await Connection.connect({ address: process.env['TEMPORAL'] ?? '127.0.0.1:7233' });
const { workflow } = new Client({ connection });
try {
  if (command === 'send') console.log(JSON.stringify(await sendAndWait(last === '' ? crypto.randomUUID() : last)));
  else if (command === 'question') console.log(JSON.stringify(await workflow.getHandle(workflowId).query(question)));
  else if (command === 'answer')
    await workflow.getHandle(workflowId).signal(answer, text, { isAllowed: last === 'yes' });
  else {
    console.error('client.ts send SESSION TEXT [UUID] | question SESSION | answer SESSION QUESTION-ID yes|no');
    process.exitCode = 2;
  }
} finally {
  await connection.close();
}

async function sendAndWait(uuid: string): Promise<unknown> {
  const options = { workflowId, taskQueue: 'sessions', signal: send, signalArgs: [{ uuid, text }] };
  const handle = await workflow.signalWithStart(session, { ...options, args: [] });
  for (;;) {
    const found = await handle.query(end, uuid);
    if (found !== undefined) return found;
    await sleep(500);
  }
}
