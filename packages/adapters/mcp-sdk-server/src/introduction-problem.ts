import { isRecord, kindOf } from '@hexagent/ports';

/** What the agent does not accept of an answer to `initialize`. It then counts the server as failed, and does not say why. */
export function introductionProblem(result: unknown): string | undefined {
  if (!isRecord(result)) return `Its answer to initialize is ${kindOf(result)}, and an object is accepted.`;
  const { protocolVersion, capabilities, serverInfo } = result;
  const { name, version } = isRecord(serverInfo) ? serverInfo : {};
  const needed = { protocolVersion, 'serverInfo.name': name, 'serverInfo.version': version };
  const [missing] = Object.entries(needed).filter(([, value]) => typeof value !== 'string');
  if (missing !== undefined)
    return `Its answer to initialize has ${kindOf(missing[1])} as \`${missing[0]}\`, and a string is accepted.`;
  if (isRecord(capabilities)) return undefined;
  return `Its answer to initialize has ${kindOf(capabilities)} as \`capabilities\`, and an object is accepted.`;
}
