import { isRecord, kindOf, shown } from '@hexagent/checks';

/** The versions of MCP that there are, newest first. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/**
 * Whether an agent that requested a version can accept another one. A version newer than all in this list may be
 * supported by a newer agent.
 */
function mayAccept(answered: string, asked: unknown): boolean {
  const [newest] = protocolVersions;
  if (answered === asked || protocolVersions.some((known) => known === answered)) return true;
  return typeof asked === 'string' && newest < answered && answered < asked;
}

/**
 * What the agent does not accept of an answer to `initialize`, in which it asked for a version of MCP. It then counts the server
 * as failed, and does not report why.
 */
export function introductionProblem(result: unknown, asked: unknown): string | undefined {
  if (!isRecord(result)) return `Its answer to initialize is ${kindOf(result)}, and an object is accepted.`;
  const { protocolVersion, capabilities, serverInfo } = result;
  const { name, version } = isRecord(serverInfo) ? serverInfo : {};
  const needed = { protocolVersion, 'serverInfo.name': name, 'serverInfo.version': version };
  const [missing] = Object.entries(needed).filter(([, value]) => typeof value !== 'string');
  if (missing !== undefined)
    return `Its answer to initialize has ${kindOf(missing[1])} as \`${missing[0]}\`, and a string is accepted.`;
  if (typeof protocolVersion === 'string' && !mayAccept(protocolVersion, asked))
    return `Its answer to initialize has ${shown(protocolVersion)} as \`protocolVersion\`, which the agent does not support.`;
  if (isRecord(capabilities)) return undefined;
  return `Its answer to initialize has ${kindOf(capabilities)} as \`capabilities\`, and an object is accepted.`;
}
