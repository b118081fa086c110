import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Starts a server of a chat, sends it what a page sends, and returns the stream that it answers with. */
export async function readChat(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  const port = await freePort();
  const args = ['--conditions=@hexagent/source', program, String(port)];
  const server = spawn(process.execPath, args, { env, cwd: env['PWD'], stdio: 'inherit' });
  const exited = once(server, 'exit');
  try {
    const response = await askWhenItListens(`http://127.0.0.1:${port}/api/chat`);
    return await response.text();
  } finally {
    server.kill();
    await exited;
  }
}

async function askWhenItListens(url: string): Promise<Response> {
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] };
  const body = JSON.stringify({ id: 'c1', trigger: 'submit-message', messages: [message] });
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
}
