import { errorText, isRecord, jsonCopy, kindAndKeys, kindOf, nearestName, shown } from '@hexagent/checks';
import { rpcCodes, type JsonRpcMessage, type McpClientSide } from '@hexagent/ports';
import { checkArguments } from './check-arguments.ts';
import { refusal, success, type Fields, type RpcId } from './json-rpc.ts';
import type { RunningCall } from './running-call.ts';
import type { ServerDefinition } from './server-definition.ts';
import { failedResult, problemsText } from './tool.ts';

/**
 * Runs one `tools/call`, and answers it, unless it was cancelled meanwhile. A failure inside the tool, or of its arguments,
 * is a result with `isError`: the model reads it and can try again. One that the model cannot correct is an error of
 * JSON-RPC. Never rejects.
 */
export async function callTool(
  definition: ServerDefinition,
  params: Fields | undefined,
  call: Pick<RunningCall, 'requestId' | 'toExtra' | 'answer'>,
  /** Receives the reason why a result is invalid. A tool that throws is not reported there: that is how it fails. */
  client: Pick<McpClientSide, 'mistaken'>,
): Promise<void> {
  const id = call.requestId;
  try {
    const { name, arguments: given = {}, _meta } = params ?? {};
    if (typeof name !== 'string') return call.answer(invalid(id, '`params.name` must be a string.'));
    if (!isRecord(given)) return call.answer(invalid(id, '`params.arguments` must be an object.'));
    const hosted = definition.tools.get(name);
    if (hosted === undefined) return call.answer(invalid(id, `The MCP server ${definition.name} has no tool ${name}.`));
    const checked = await checkArguments(hosted.args, given);
    if ('problems' in checked) return call.answer(failed(id, problemsText(name, checked.problems)));
    const extra = call.toExtra(_meta !== undefined && isRecord(_meta) ? _meta : undefined);
    const result: unknown = await hosted.definition.handler(checked.value, extra);
    const { copy, mistake } = copyOfResult(result, name);
    if (copy !== undefined) return call.answer(success(id, copy));
    client.mistaken?.(mistake);
    call.answer(failed(id, mistake));
  } catch (error) {
    call.answer(failed(id, errorText(error)));
  }
}

const invalid = (id: RpcId, why: string): JsonRpcMessage => refusal(id, rpcCodes.invalidParams, why);
const failed = (id: RpcId, text: string): JsonRpcMessage => success(id, failedResult(text));

/** The result as the agent receives it, or why the agent cannot read it. */
export type CopyOfResult =
  | { readonly copy: Fields; readonly mistake?: undefined }
  | { readonly copy?: undefined; readonly mistake: string };

/**
 * Copies the result of a tool here, so that the error can name the tool. A server of the program's own may answer with
 * other kinds of results.
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
  let index = 0;
  for (const item of content) {
    const wrong = wrongWithItem(item, index);
    if (wrong !== undefined) return wrong;
    index += 1;
  }
  return undefined;
}

function wrongWithItem(item: unknown, index: number): string | undefined {
  if (!isRecord(item))
    return `\`content[${index}]\` is ${kindOf(item)}, and an object with a \`type\` is accepted, such as { type: 'text', text: '…' }.`;
  const { type, text } = item;
  if (typeof type !== 'string')
    return `\`content[${index}]\` is an object without a \`type\`; accepted is { type: 'text', text: '…' }, for one.`;
  if (type === 'text' && typeof text !== 'string')
    return `\`content[${index}].text\` is ${kindOf(text)}, and a string is accepted.`;
  return undefined;
}

const resultNames: readonly string[] = ['content', 'structuredContent', 'isError'];

/** The agent ignores unknown names: the model would read nothing, or take a failure for a success. */
function wrongWithNames(result: Fields, mayBeOther: boolean): string | undefined {
  const others: string[] = [];
  for (const name of Object.keys(result)) if (!resultNames.includes(name) && !name.startsWith('_')) others.push(name);
  if (others.length === 0) return undefined;
  const isRead = result['content'] !== undefined || result['structuredContent'] !== undefined;
  for (const name of others) {
    const meant = nearestName(name, resultNames);
    if (meant !== undefined && result[meant] === undefined)
      return `\`${shown(name).slice(1, -1)}\` is no part of a result. Did you mean \`${meant}\`?`;
  }
  if (isRead || mayBeOther) return undefined;
  return `it is ${kindAndKeys(result)}; a result is { content: [...] }, as toolResult.text() makes one.`;
}
