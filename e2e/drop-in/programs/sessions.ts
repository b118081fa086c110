// Shows earlier conversations: a list of sessions, one of them whole, and names for them.
import {
  forkSession,
  getSessionInfo,
  getSessionMessages,
  listSessions,
  query,
  renameSession,
  tagSession,
} from '@anthropic-ai/claude-agent-sdk';

const dir = process.cwd();
for (const prompt of ['How are you?', 'What is in the notes?'])
  for await (const _ of query({ prompt, options: { allowedTools: ['Read'] } }));

const sessions = await listSessions({ dir });
for (const { summary, firstPrompt } of sessions) console.log(`- ${summary} (${firstPrompt})`);

const [newest] = sessions;
if (!newest) throw new Error('There is no session.');
const messages = await getSessionMessages(newest.sessionId, { dir });
for (const { type, message } of messages) {
  const { content } = message as { content: string | readonly { type: string; text?: string; name?: string }[] };
  const shown = typeof content === 'string' ? content : content.map((block) => block.text ?? block.name ?? block.type);
  console.log(type, JSON.stringify(shown));
}

await renameSession(newest.sessionId, 'The notes', { dir });
await tagSession(newest.sessionId, 'kept', { dir });
const { sessionId } = await forkSession(newest.sessionId, { dir, title: 'A branch' });
const titles = await Promise.all([newest.sessionId, sessionId].map((id) => getSessionInfo(id, { dir })));
console.log(titles.map((info) => `${info?.customTitle} ${info?.tag}`).join(', '));
console.log((await listSessions({ dir, limit: 2 })).length, (await listSessions({ dir })).length);
for await (const message of query({ prompt: 'And now?', options: { resume: sessionId } }))
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
