// A program that serves chats and keeps them in a folder, to be killed: `serving.ts FOLDER OPTIONS`. Prints its port.
import { createServer } from 'node:http';
import { createChat, toNodeListener, type ChatOptions } from '@hexagent/sdk/chat';

const [, , folder = '', options = '{}'] = process.argv;
const session = JSON.parse(options) as NonNullable<ChatOptions['session']>; // the test wrote it
const chat = createChat({ session, folder, hosting: { takeoverGraceMs: 0 }, onError: () => {} });
const server = createServer(toNodeListener(chat.handle)).listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' && address !== null ? address.port : 0);
});
