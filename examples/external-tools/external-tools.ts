/* Two agents share one memory: a server that others wrote, started once by this program. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { external } from '@hexagent/mcp-client';
import { openSession, type Session } from '@hexagent/sdk';

const memory = external({
  name: 'memory',
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))],
  // Only the server gets these variables; the agents see none of them.
  env: { MEMORY_FILE_PATH: join(process.cwd(), 'memory.jsonl') },
  // Of its nine tools the agents get two, under names of ours.
  tools: {
    only: ['create_entities', 'read_graph'],
    rename: { create_entities: 'remember', read_graph: 'recall' },
    timeoutMs: 10_000,
  },
  onStatus: (status) => console.log(`memory: ${status.state}`),
});

const open = (): Promise<Session> => openSession({ tools: [{ memory }], permissions: { allow: ['mcp__memory'] } });

// Before the first turn, so that it has the tools, and so that a failure is one of this line.
await memory.connect();
const sessions = await Promise.all([open(), open()]);
try {
  const questions = ['Remember that the build is green.', 'How is the build?'];
  for (const [index, session] of sessions.entries()) {
    const outcome = await session.send(questions[index] ?? '').result;
    console.log(outcome.kind === 'completed' ? outcome.text : `The turn was ${outcome.kind}.`);
  }
} finally {
  // The server ends with the last session that uses it.
  await Promise.all(sessions.map((session) => session.close()));
}
