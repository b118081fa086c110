// A server of chats over files, for an attack that kills it. Prints its port; at the end of its input it ends, and prints what
// it held at most.
import { createServer } from 'node:http';
import { createChat, toNodeListener, type ChatOptions } from '@hexagent/chat';

/** What the attack decides. */
export interface ServerOrder {
  readonly folder: string;
  readonly session: NonNullable<ChatOptions['session']>;
  readonly autoResume: 'wait' | 'continue';
  readonly maxLive: number;
}

/** A line that it prints. */
export type ServerReport = { readonly port: number } | { readonly peakMegabytes: number };

const { folder, session, autoResume, maxLive } = JSON.parse(process.argv[2] ?? '') as ServerOrder; // the attack wrote it
const report = (line: ServerReport): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const chat = createChat({
  folder,
  session,
  hosting: {
    maxLive,
    maxStarting: 4,
    autoResume,
    crashes: { firstDelayMs: 10, longestDelayMs: 50, maxCrashes: 1000 },
  },
  approvalsExpireAfterMs: { permission: 1000 },
  limits: { streams: 5000 },
  onError: () => {},
});
const server = createServer(toNodeListener(chat.handle, { onError: () => {} })).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) report({ port: address.port });
});

let peak = 0;
const measuring = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 100);
process.stdin.resume().once('end', () => {
  clearInterval(measuring);
  void chat.close().then(() => {
    report({ peakMegabytes: Math.round(peak / 1024 / 1024) });
    server.close();
    server.closeAllConnections();
  });
});
