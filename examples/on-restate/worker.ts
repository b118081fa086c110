/* The process whose agents answer. Restate calls it, by HTTP/2. */
import { createServer } from 'node:http2';
import { createEndpointHandler } from '@restatedev/restate-sdk';
import { DrivenSessions } from './driven-sessions.ts';
import { sessionObject } from './session-object.ts';

const { PORT = '9080', FOLDER = './sessions' } = process.env;
const sessions = new DrivenSessions({
  folder: FOLDER,
  session: { permissions: { allow: ['Read', 'Bash(mktemp *)'] } },
});
console.log('Left by the process before:', (await sessions.host.recover()).length);

// To this machine only. Restate signs its requests if it is elsewhere: `identityKeys` of the handler checks that.
createServer(createEndpointHandler({ services: [sessionObject(sessions)] })).listen(Number(PORT), '127.0.0.1', () =>
  console.log(`Listening on ${PORT}.`),
);

process.once('SIGTERM', () => {
  void sessions.host.drain().finally(() => process.exit());
});
