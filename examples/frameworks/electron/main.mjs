import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createChat } from '@hexagent/chat';
import { app, BrowserWindow, protocol } from 'electron';

await app.whenReady();
const chat = createChat({
  folder: path.join(app.getPath('userData'), 'chats'),
  session: { cwd: app.getPath('documents'), permissions: { allow: ['Read', 'Grep'] } },
});

// In this program `http://localhost` leads here and not to the network, so no other program can call.
protocol.handle('http', async (request) => {
  const { host, pathname } = new URL(request.url);
  if (host !== 'localhost') return new Response('Not found.', { status: 404 });
  if (pathname.startsWith('/api/')) return await chat.handle(request);
  const page = await readFile(path.join(import.meta.dirname, 'index.html'));
  return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
});
await new BrowserWindow().loadURL('http://localhost/');

let isClosed = false;
app.on('before-quit', (event) => {
  if (isClosed) return;
  event.preventDefault();
  void chat.close().then(() => {
    isClosed = true;
    app.quit();
  });
});
