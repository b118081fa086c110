import { type DynamicToolUIPart, type UIMessage } from 'ai';
import { processesMentioning } from '@hexagent/testing/cli';
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

export const postTo = async (place: ChatPlace, what: string): Promise<unknown> =>
  await (await place.call(`/chat/chat1/${what}`, { method: 'POST' })).json();

/** The state of the chat in the list and with its messages, and whether these say that a turn runs. */
export async function stateIn(place: ChatPlace): Promise<unknown> {
  const { sessions } = (await (await place.call('/sessions')).json()) as { sessions: { state: string }[] }; // as README says
  const page = (await (await place.call('/sessions/chat1/messages')).json()) as { state: string; isRunning: boolean };
  return [sessions[0]?.state, page.state, page.isRunning];
}

/** What a part shows: streams know more about how a call came about than what is stored of it. */
export function shapeOf(part: UIMessage['parts'][number]): unknown {
  if (part.type === 'text') return [part.type, part.text];
  if (part.type === 'dynamic-tool') return [part.toolName, part.toolCallId, part.state, part.input];
  return part.type;
}

/** What the model reads of the last message, from all of its texts. */
export function lastTextsIn({ stage: { loopback } }: ChatPlace): string | undefined {
  const content = loopback.requests.at(-1)?.body.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

export const rolesOf = ({ messages }: Page): string[] => messages.map(({ role }) => role);

/** Ends the agents of a place as the system would that has no memory left. */
export function killAgentsOf(place: ChatPlace): void {
  const agents = processesMentioning(place.stage.home.root);
  expect(agents).not.toEqual([]);
  for (const { pid } of agents) process.kill(pid, 'SIGKILL');
}
