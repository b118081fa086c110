import { spawn } from 'node:child_process';
import { createChat } from '@hexagent/sdk/chat';
import { buildPage } from './build-page.ts';
import { openPlace } from './place.ts';
import { serve } from './serve.ts';

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export interface Flags {
  readonly live: boolean;
  readonly folder: string | undefined;
  readonly port: number;
  readonly open: boolean;
}

/** Runs the chat until a signal ends it; returns the exit code that goes with the signal. */
export async function run({ live, folder, port, open }: Flags): Promise<number> {
  const left = new Promise<number>((resolve) => {
    for (const [signal, code] of Object.entries(exitCodes)) process.once(signal, () => resolve(code));
  });
  const place = await openPlace({ live, folder });
  try {
    await buildPage(place.page);
    await using chat = createChat({
      session: place.session,
      folder: place.state,
      // What a server that was killed had accepted is run when it starts again, and a page that waits follows it.
      hosting: { autoResume: 'continue' },
      permissionModes: ['acceptEdits'],
    });
    const server = await serve({ page: place.page, handle: chat.handle, port });
    console.log(`The chat is at ${server.url}\nThe agent works in ${place.work}. Ctrl-C ends it.`);
    if (open && process.stdout.isTTY) openBrowser(server.url);
    const code = await left;
    await server.close();
    return code;
  } finally {
    await place.close();
  }
}

/** Where there is no browser to open, the address is printed already. */
function openBrowser(url: string): void {
  const [command, ...args] = { darwin: ['open', url], win32: ['cmd', '/c', 'start', '', url] }[
    process.platform as string
  ] ?? ['xdg-open', url];
  spawn(command ?? '', args, { stdio: 'ignore', detached: true })
    .once('error', () => {})
    .unref();
}
