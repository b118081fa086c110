// Plans first, asks a person about the plan, then works.
import { query, type PermissionMode } from '@anthropic-ai/claude-agent-sdk';

const modes: PermissionMode[] = [];
for await (const message of query({
  prompt: 'Make a file.',
  options: {
    permissionMode: 'plan',
    canUseTool: async (name, input, { title, displayName }) => {
      console.log(`asked about ${title ?? displayName ?? name}`);
      return { behavior: 'allow', updatedInput: input };
    },
  },
})) {
  if (message.type === 'system' && message.subtype === 'status' && message.permissionMode)
    modes.push(message.permissionMode);
  if (message.type === 'result') console.log(message.subtype === 'success' ? message.result : message.subtype);
}
console.log(`modes: ${modes.join(', ')}`);
