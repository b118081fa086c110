import { createChat, toNodeListener } from '@hexagent/chat';
import express from 'express';

const chat = createChat({ session: { cwd: process.cwd(), permissions: { allow: ['Read', 'Grep'] } } });

const app = express();
// Before `express.json()`, which would read the body, and not by `app.use('/api', …)`, which cuts the path.
app.all('/api/{*path}', toNodeListener(chat.handle));
const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error; // such as a port that is in use
  console.log('Listening');
});

const leave = (): void => void chat.close().then(() => server.close());
process.once('SIGTERM', leave).once('SIGINT', leave);
