// A lead with two helpers; each line shows who wrote it.
import { query, type AgentDefinition } from '@anthropic-ai/claude-agent-sdk';

const agents: Record<string, AgentDefinition> = {
  reader: { description: 'Reads.', prompt: 'You are the reader.', tools: ['Bash'], model: 'inherit' },
  writer: { description: 'Writes.', prompt: 'You are the writer.', tools: [] },
};
const helpers = new Map<string, string>();
const who = (parent: string | null): string => (parent === null ? 'lead' : (helpers.get(parent) ?? 'nobody'));

for await (const message of query({
  prompt: 'Write about the folder.',
  options: { agents, allowedTools: ['Agent', 'Task', 'Bash'] },
})) {
  if (message.type === 'assistant') {
    for (const block of message.message.content) {
      if (block.type === 'text') console.log(`${who(message.parent_tool_use_id)}: ${block.text}`);
      if (block.type !== 'tool_use') continue;
      const { subagent_type } = block.input as { subagent_type?: string };
      if (subagent_type) helpers.set(block.id, subagent_type);
      console.log(`${who(message.parent_tool_use_id)} calls ${subagent_type ?? block.name}`);
    }
  }
  if (message.type === 'result') console.log(Object.keys(message.modelUsage).length, 'model,', message.subtype);
}
