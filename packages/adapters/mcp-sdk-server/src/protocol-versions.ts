/** The versions of MCP that there are, newest first. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/**
 * Whether an agent that requested a version can accept another one. A version newer than all in this list may be
 * supported by a newer agent.
 */
export function mayAccept(answered: string, asked: unknown): boolean {
  const [newest] = protocolVersions;
  if (answered === asked || protocolVersions.some((known) => known === answered)) return true;
  return typeof asked === 'string' && newest < answered && answered < asked;
}
