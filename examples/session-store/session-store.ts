/* Talks to an agent, and keeps what is said in a file of SQLite, from which any machine that has the file continues. */
import { query } from '@hexagent/sdk/claude-agent-sdk';
import { SqliteSessionStore } from './sqlite-store.ts';

const [prompt = 'What did I ask you before?', file = 'sessions.db'] = process.argv.slice(2);
const sessionStore = new SqliteSessionStore(file);
try {
  // The newest session continues; the first call of all begins one.
  for await (const message of query({ prompt, options: { sessionStore, continue: true } })) {
    if (message.type === 'system' && message.subtype === 'mirror_error') console.error(`Not stored: ${message.error}`);
    if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
  }
} finally {
  sessionStore[Symbol.dispose]();
}
