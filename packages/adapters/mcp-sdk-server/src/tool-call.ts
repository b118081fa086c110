import {
  errorText,
  isRecord,
  jsonCopy,
  kindAndKeys,
  kindOf,
  nearestName,
  rpcCodes,
  shown,
  type McpClientSide,
} from '@hexagent/ports';
import { failedResult, problemsText } from './failed-result.ts';
import { RpcFailure, type Fields } from './json-rpc.ts';
import type { RunningCall } from './running-call.ts';
import type { ServerDefinition } from './server-definition.ts';

/**
 * Runs one `tools/call`. A failure inside the tool, or of its arguments, is a result with `isError`: the model reads it
 * and can try again. A failure that the model cannot correct is an {@link RpcFailure}.
 */
export async function callTool(
  definition: ServerDefinition,
  params: Fields | undefined,
  call: Pick<RunningCall, 'toExtra'>,
  /** Receives the reason why a result is invalid. A tool that throws is not reported there: that is how it fails. */
  client: Pick<McpClientSide, 'mistaken'> = {},
): Promise<Fields> {
  const { name, arguments: given = {}, _meta } = params ?? {};
  if (typeof name !== 'string') throw new RpcFailure(rpcCodes.invalidParams, '`params.name` must be a string.');
  if (!isRecord(given)) throw new RpcFailure(rpcCodes.invalidParams, '`params.arguments` must be an object.');
  const hosted = definition.tools.get(name);
  if (hosted === undefined)
    throw new RpcFailure(rpcCodes.invalidParams, `The MCP server ${definition.name} has no tool ${name}.`);
  try {
    const checking = hosted.args.check(given);
    const checked = checking instanceof Promise ? await checking : checking;
    if ('problems' in checked) return failedResult(problemsText(name, checked.problems));
    const extra = call.toExtra(isRecord(_meta) ? _meta : undefined);
    const result: unknown = await hosted.definition.handler(checked.value, extra);
    const { copy, mistake } = copyOfResult(result, name);
    if (copy !== undefined) return copy;
    client.mistaken?.(mistake);
    return failedResult(mistake);
  } catch (error) {
    return failedResult(errorText(error));
  }
}

/** What the agent is sent of a result, or why it cannot read it. */
export type CopyOfResult =
  | { readonly copy: Fields; readonly mistake?: undefined }
  | { readonly copy?: undefined; readonly mistake: string };

/**
 * Copies the result of a tool here, so that the error can name the tool; the wire need not do it again. A server of the
 * program's own may answer with other kinds of results.
 */
export function copyOfResult(result: unknown, tool: string, mayBeOther = false): CopyOfResult {
  const { copy, lost } = isRecord(result) ? jsonCopy(result, { name: 'result' }) : {};
  if (lost !== undefined) return { mistake: `The tool ${tool} answered with something that is lost: ${lost}` };
  if (!isRecord(copy)) return { mistake: `The tool ${tool} answered with no result; a result is { content: [...] }.` };
  const unread = wrongWithContent(copy['content']) ?? wrongWithNames(copy, mayBeOther);
  if (unread === undefined) return { copy };
  return { mistake: `The tool ${tool} answered with something that the agent cannot read: ${unread}` };
}

/** The agent would blame the server, and nothing would be reported to the program. Kinds of content that a newer agent may have pass. */
function wrongWithContent(content: unknown): string | undefined {
  if (content === undefined) return undefined;
  if (!Array.isArray(content))
    return `\`content\` is ${kindOf(content)}, and a list is accepted, as toolResult.text() makes one.`;
  for (const [index, item] of content.entries()) {
    const place = `content[${index}]`;
    if (!isRecord(item))
      return `\`${place}\` is ${kindOf(item)}, and an object with a \`type\` is accepted, such as { type: 'text', text: '…' }.`;
    if (typeof item['type'] !== 'string')
      return `\`${place}\` is an object without a \`type\`; accepted is { type: 'text', text: '…' }, for one.`;
    if (item['type'] === 'text' && typeof item['text'] !== 'string')
      return `\`${place}.text\` is ${kindOf(item['text'])}, and a string is accepted.`;
  }
  return undefined;
}

const resultNames: readonly string[] = ['content', 'structuredContent', 'isError'];

/** The agent ignores unknown names: the model would read nothing, or take a failure for a success. */
function wrongWithNames(result: Fields, mayBeOther: boolean): string | undefined {
  const others = Object.keys(result).filter((name) => !resultNames.includes(name) && !name.startsWith('_'));
  const isRead = result['content'] !== undefined || result['structuredContent'] !== undefined;
  for (const name of others) {
    const meant = nearestName(name, resultNames);
    if (meant !== undefined && result[meant] === undefined)
      return `\`${shown(name).slice(1, -1)}\` is no part of a result. Did you mean \`${meant}\`?`;
  }
  if (isRead || mayBeOther || others.length === 0) return undefined;
  return `it is ${kindAndKeys(result)}; a result is { content: [...] }, as toolResult.text() makes one.`;
}
