/*
 * A program that serves chats and keeps them in a folder, to be killed or stopped: `serving.ts FOLDER OPTIONS [HOSTING]`. Prints its port.
 * SIGINT, SIGTERM and the line `close` close the chats; the line `drain` drains their host.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { createChat, toNodeListener, type ChatOptions } from '@hexagent/chat';

const [, , folder = '', options = '{}', hosting = '{}'] = process.argv;
const session = JSON.parse(options) as NonNullable<ChatOptions['session']>; // the test wrote it
const chat = createChat({
  session,
  folder,
  hosting: { takeoverGraceMs: 0, ...(JSON.parse(hosting) as ChatOptions['hosting']) },
  permissionModes: ['plan'],
  onError: () => {},
});
const server = createServer(toNodeListener(chat.handle)).listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' && address !== null ? address.port : 0);
});
const how = await Promise.race([
  once(process, 'SIGINT').then(() => 'close'),
  once(process, 'SIGTERM').then(() => 'close'),
  once(createInterface(process.stdin), 'line').then(String),
]);
if (how === 'drain') await chat.host.drain({ withinMs: 50 });
else await chat.close();
server.close();
server.closeAllConnections();
process.stdin.destroy();
