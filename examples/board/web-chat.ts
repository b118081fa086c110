import { createServer } from 'node:http';
import { createChat, toNodeListener } from '@hexagent/chat';

const chat = createChat({ session: { permissions: { allow: ['Read', 'Grep'] } } });
createServer(toNodeListener(chat.handle)).listen(Number(process.argv[2] ?? 3000), '127.0.0.1');
