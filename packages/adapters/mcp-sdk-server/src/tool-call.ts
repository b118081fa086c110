import { errorText, jsonCopy, isRecord, rpcCodes } from '@hexagent/ports';
import { RpcFailure, type Fields } from './json-rpc.ts';
import type { RunningCall } from './running-call.ts';
import type { HostedTool, ServerDefinition } from './server-definition.ts';
import type { CallToolResult, ToolExtra } from './tool.ts';

/**
 * Runs one `tools/call`. A failure inside the tool, or of its arguments, is a result with `isError`: the model reads it
 * and can try again. A failure that the model cannot correct is an {@link RpcFailure}.
 */
export async function callTool(
  definition: ServerDefinition,
  params: Fields | undefined,
  call: Pick<RunningCall, 'toExtra'>,
  /** Receives the reason why a result is invalid. A tool that throws is not reported here: that is how it fails. */
  mistaken: (why: string) => void = () => {},
): Promise<Fields> {
  const { name, arguments: given = {}, _meta } = params ?? {};
  if (typeof name !== 'string') throw new RpcFailure(rpcCodes.invalidParams, '`params.name` must be a string.');
  if (!isRecord(given)) throw new RpcFailure(rpcCodes.invalidParams, '`params.arguments` must be an object.');
  const hosted = definition.tools.get(name);
  if (hosted === undefined)
    throw new RpcFailure(rpcCodes.invalidParams, `The MCP server ${definition.name} has no tool ${name}.`);
  try {
    const result = await run(hosted, given, call.toExtra(isRecord(_meta) ? _meta : undefined));
    if (!('mistake' in result)) return result.kept;
    mistaken(result.mistake);
    return failed(result.mistake);
  } catch (error) {
    return failed(errorText(error));
  }
}

type Ran = { readonly kept: Fields } | { readonly mistake: string };

async function run({ definition, args }: HostedTool, given: Fields, extra: ToolExtra): Promise<Ran> {
  const checked = await args.check(given);
  if ('problems' in checked)
    return {
      kept: failed(
        `Invalid arguments for ${definition.name}:\n${checked.problems.map((problem) => `- ${problem}`).join('\n')}`,
      ),
    };
  const result: unknown = await definition.handler(checked.value, extra);
  if (!isRecord(result))
    return { mistake: `The tool ${definition.name} answered with no result; a result is { content: [...] }.` };
  // Checked here, where the name of the tool is known; the wire makes the same copy when it writes the result.
  const { lost } = jsonCopy(result, { name: 'result' });
  if (lost === undefined) return { kept: result };
  return { mistake: `The tool ${definition.name} answered with something that is lost: ${lost}` };
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
