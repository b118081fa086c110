// Asks a person in the terminal before a tool runs: y for yes, a for always, anything else for no.
import { createInterface } from 'node:readline';
import { query, type CanUseTool, type PermissionResult } from '@anthropic-ai/claude-agent-sdk';

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const canUseTool: CanUseTool = async (name, input, { suggestions, signal, toolUseID }): Promise<PermissionResult> => {
  if (signal.aborted) return { behavior: 'deny', message: 'Too late.' };
  console.log(`? ${name} ${JSON.stringify(input)} (${toolUseID}, ${suggestions?.length ?? 0} suggestions)`);
  const { value: answer } = await answers.next();
  if (answer === 'y') return { behavior: 'allow', updatedInput: input };
  if (answer === 'a') {
    const updatedPermissions = suggestions?.map((suggestion) => ({ ...suggestion, destination: 'session' as const }));
    return { behavior: 'allow', updatedInput: input, ...(updatedPermissions && { updatedPermissions }) };
  }
  return { behavior: 'deny', message: 'The person said no.' };
};

for await (const message of query({ prompt: 'Tidy up.', options: { canUseTool, permissionMode: 'default' } })) {
  if (message.type !== 'result') continue;
  console.log(message.subtype === 'success' ? message.result : message.errors.join('; '));
  console.log(`denied: ${JSON.stringify(message.permission_denials.map(({ tool_input }) => tool_input))}`);
}
process.stdin.destroy();
