import { type DynamicToolUIPart } from 'ai';
import { expect } from 'vitest';
import { type ChatPlace } from './chat-place.ts';

type Page = ReturnType<ChatPlace['page']>;

export const toolPart = ({ messages }: Page): DynamicToolUIPart | undefined =>
  messages.flatMap(({ parts }) => parts).find((part): part is DynamicToolUIPart => part.type === 'dynamic-tool');

/** Resolves with the approval that the page shows. */
export async function approvalOn(page: Page): Promise<string> {
  await expect.poll(() => toolPart(page)?.state).toBe('approval-requested');
  return toolPart(page)?.approval?.id ?? '';
}

export const settle = (place: ChatPlace, approval: string, body: object): Promise<Response> =>
  place.call(`/chat/chat1/approvals/${approval}`, { body });

/** The state of the chat in the list and with its messages, and whether these say that a turn runs. */
export async function stateIn(place: ChatPlace): Promise<unknown> {
  const { sessions } = (await (await place.call('/sessions')).json()) as { sessions: { state: string }[] }; // as README says
  const page = (await (await place.call('/sessions/chat1/messages')).json()) as { state: string; isRunning: boolean };
  return [sessions[0]?.state, page.state, page.isRunning];
}

/** What the model reads of the last message, from all of its texts. */
export function lastTextsIn({ stage: { loopback } }: ChatPlace): string | undefined {
  const content = loopback.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

export const rolesOf = ({ messages }: Page): string[] => messages.map(({ role }) => role);
