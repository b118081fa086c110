import { createChat, type Chat } from '@hexagent/chat';

export const runtime = 'nodejs';

// `next dev` loads this module again after a change: the chat, which has agents, stays.
const kept = globalThis as { chat?: Chat };

/** With the first request, since `next build` loads this module too. */
function open(): Chat {
  const chat = createChat({ session: { cwd: process.cwd(), permissions: { allow: ['Read', 'Grep'] } } });
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void chat.close());
  return chat;
}

const handle = (request: Request): Promise<Response> => (kept.chat ??= open()).handle(request);
export { handle as GET, handle as POST, handle as DELETE, handle as OPTIONS };
