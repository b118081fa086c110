import { tool, type ToolSchema } from '../src/index.ts';
import { lightServer, openSession, text, type CallResult, type Listed } from './client.ts';

/** A tool with a schema, to be called with any arguments. */
export interface Tried {
  readonly schema: Listed['inputSchema'];
  call(args?: unknown): Promise<CallResult>;
  /** The arguments that reached the handler; throws when it was not called. */
  parse(args?: unknown): Promise<unknown>;
  /** The text that the model reads when the handler is not called. */
  refusal(args?: unknown): Promise<string | undefined>;
}

export async function attempt(inputSchema: ToolSchema): Promise<Tried> {
  const seen: unknown[] = [];
  const probe = tool('probe', 'Shows what it is given', inputSchema, (args) => {
    seen.push(args);
    return text('seen');
  });
  const { call, listed } = await openSession(lightServer({ tools: [probe] }));
  const [only] = await listed();
  if (!only) throw new Error('No tool is listed.');
  const tried = async (args: unknown): Promise<CallResult> => await call('probe', args);
  return {
    schema: only.inputSchema,
    call: tried,
    parse: async (args) => {
      const { isError, content } = await tried(args);
      if (isError) throw new Error(content[0]?.text);
      return seen.at(-1);
    },
    refusal: async (args) => {
      const { isError, content } = await tried(args);
      if (!isError || seen.length > 0) throw new Error('The handler was called.');
      return content[0]?.text;
    },
  };
}
