import { createInterface } from 'node:readline/promises';
import { query, type CanUseTool } from '@anthropic-ai/claude-agent-sdk';

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const canUseTool: CanUseTool = async (tool, input, { signal }) => {
  const answer = await terminal.question(`${tool} ${JSON.stringify(input)} (y/n)? `, { signal });
  if (answer === 'y') return { behavior: 'allow', updatedInput: input };
  return { behavior: 'deny', message: 'The person said no.' };
};
for await (const message of query({ prompt: 'Make a file for each season.', options: { canUseTool } })) {
  if (message.type !== 'result') continue;
  if (message.subtype !== 'success' || message.is_error) throw new Error(`It failed: ${message.subtype}`);
  console.log(message.result);
}
terminal.close();
