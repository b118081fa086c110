import { createChat } from '@hexagent/chat';
import { buildPage } from './build-page.ts';
import { openPlace } from './place.ts';
import { openBrowser, untilSignal } from './program.ts';
import { serve } from './serve.ts';

export interface Flags {
  readonly live: boolean;
  readonly folder: string | undefined;
  readonly port: number;
  readonly open: boolean;
}

/** Runs the chat until a signal ends it; returns the exit code. */
export const run = (flags: Flags): Promise<number> => untilSignal('The chat', (left) => runUntil(left, flags));

async function runUntil(left: Promise<number>, { live, folder, port, open }: Flags): Promise<number> {
  const place = await openPlace({ live, folder });
  try {
    await buildPage(place.page, { isScript: !live });
    await using chat = createChat({
      session: { ...place.session, toolOutput: true },
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
