import { createInterface } from 'node:readline/promises';
import { query, type CanUseTool, type PermissionResult } from '@anthropic-ai/claude-agent-sdk';

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const askPerson: CanUseTool = async (tool, input, { signal }) => {
  const answer = await terminal.question(`${tool} ${JSON.stringify(input)} (y/n)? `, { signal });
  if (answer === 'y') return { behavior: 'allow', updatedInput: input };
  return { behavior: 'deny', message: 'No.' };
};
// The agent may ask about several calls at once: the person sees one question at a time.
let last: Promise<PermissionResult | null> | undefined;
const canUseTool: CanUseTool = (...call) => (last = Promise.resolve(last).then(() => askPerson(...call)));
for await (const message of query({ prompt: 'Compare one.example with two.example.', options: { canUseTool } })) {
  if (message.type !== 'result') continue;
  if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
  console.log(message.result);
}
terminal.close();
