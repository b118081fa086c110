import type { ChatState } from '@hexagent/ports';
import type { UIMessage } from 'ai';

export function post(url: string, body?: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

/** The history of a chat, as a page reads it. */
export async function historyAt(
  url: string,
  id: string,
): Promise<{ readonly texts: readonly string[]; readonly state: ChatState }> {
  const response = await fetch(`${url}/sessions/${id}/messages`);
  if (response.status === 404) return { texts: [], state: 'idle' };
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const page = (await response.json()) as { readonly messages: readonly UIMessage[]; readonly state: ChatState }; // as the README of http-chat says
  const texts = page.messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
  return { texts, state: page.state };
}
