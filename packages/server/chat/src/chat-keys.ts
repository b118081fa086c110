import type { ChatCaller } from '@hexagent/ports';

/**
 * The name of a chat in the host and in its stores. A chat's id has no dot, so no tenant can name the chat of another, nor
 * one of those that have no tenant.
 */
export function chatKey(chatId: string, tenant: string | undefined): string {
  return tenant === undefined ? chatId : `${encodeURIComponent(tenant)}.${chatId}`;
}

/** The id that the page uses. */
export function chatIdOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

/** Whether a chat is one of the caller's tenant, or, for a caller without one, of no tenant. */
export function isOwn(key: string, { tenant }: ChatCaller): boolean {
  return chatKey(chatIdOf(key), tenant) === key;
}

/**
 * The uuid of a message for the agent, always the same for the same message of the same chat: so a request that a page
 * sends again is the same message, to this process and to one that comes after it. A page that was opened anew has the
 * uuid itself.
 */
export async function messageUuid(key: string, messageId: string): Promise<string> {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(messageId)) return messageId;
  const bytes = new TextEncoder().encode(JSON.stringify([key, messageId]));
  const hash = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)).subarray(0, 16);
  // The version and variant bits of a uuid: version 8 is for uuids of a custom form.
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
