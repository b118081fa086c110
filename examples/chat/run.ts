import { spawn } from 'node:child_process';
import { inspect } from 'node:util';
import { SdkError } from '@hexagent/sdk';
import { createChat } from '@hexagent/chat';
import { buildPage } from './build-page.ts';
import { openPlace } from './place.ts';
import { serve } from './serve.ts';

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

export interface Flags {
  readonly live: boolean;
  readonly folder: string | undefined;
  readonly port: number;
  readonly open: boolean;
}

/** Runs the chat until a signal ends it; returns the exit code that goes with the signal, or 1 where it cannot start. */
export async function run(flags: Flags): Promise<number> {
  try {
    return await runUntilSignal(flags);
  } catch (error) {
    console.error(`The chat cannot run.\n${explain(error)}`);
    return 1;
  }
}

/** For a person who did not write this program: a stack only where it has a defect. */
function explain(error: unknown): string {
  if (SdkError.is(error)) return `${error.message}\n${error.remedy}`;
  return isOfSystem(error) ? error.message : inspect(error);
}

/** Whether the operating system refused something. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && ('syscall' in error || isOfSystem(error.cause));
}

async function runUntilSignal({ live, folder, port, open }: Flags): Promise<number> {
  const left = new Promise<number>((resolve) => {
    for (const [signal, code] of Object.entries(exitCodes)) process.once(signal, () => resolve(code));
  });
  const place = await openPlace({ live, folder });
  try {
    await buildPage(place.page, { isScript: !live });
    await using chat = createChat({
      session: place.session,
      folder: place.state,
      // What a server that was killed had accepted is run when it starts again, and a page that waits follows it.
      hosting: { autoResume: 'continue' },
      permissionModes: ['acceptEdits'],
      // The page is open to this machine alone, so it is used by the person whose settings a rule is written to.
      suggestions: 'all',
      // For images and PDFs.
      limits: { bodyBytes: 16 * 1024 * 1024 },
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
