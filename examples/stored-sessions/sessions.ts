/* A browser for stored sessions: lists them, shows one, and gives one a name. It starts no agent. */
import { parseArgs } from 'node:util';
import { storedSessions, type StoredMessage } from '@hexagent/sdk';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string' }, limit: { type: 'string', default: '20' } },
});
const [command = 'list', id = '', ...words] = positionals;
const sessions = storedSessions();

/** The words of a message, and the names of the tools that are called in it. */
function shown({ message }: StoredMessage): string {
  if (typeof message !== 'object' || message === null || !('content' in message)) return '';
  const { content } = message;
  if (!Array.isArray(content)) return String(content);
  return content.map((block) => block.text ?? `[${block.name ?? block.type}]`).join(' ');
}

if (command === 'list') {
  const options = { limit: Number(values.limit), ...(values.dir !== undefined && { dir: values.dir }) };
  for (const { sessionId, summary, tag = '' } of await sessions.list(options)) console.log(sessionId, summary, tag);
} else if (command === 'show') {
  for await (const message of sessions.messages(id)) console.log(`${message.type}: ${shown(message)}`);
} else if (command === 'rename') {
  await sessions.rename(id, words.join(' '));
} else if (command === 'fork') {
  console.log((await sessions.fork(id)).sessionId);
} else {
  console.error('list | show ID | rename ID WORDS | fork ID');
  process.exitCode = 1;
}
