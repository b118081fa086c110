// Hooks that keep a journal, forbid what is dangerous, and add context for the model.
import { appendFile, readFile } from 'node:fs/promises';
import {
  query,
  type HookCallback,
  type HookJSONOutput,
  type PostToolUseHookInput,
  type PreToolUseHookInput,
} from '@anthropic-ai/claude-agent-sdk';

const note = (line: string): Promise<void> => appendFile('journal.txt', `${line}\n`);

const guard: HookCallback = async (input): Promise<HookJSONOutput> => {
  const { tool_name, tool_input } = input as PreToolUseHookInput;
  const { command } = tool_input as { command?: string };
  await note(`before ${tool_name}: ${command}`);
  if (!command?.includes('rm ')) return {};
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Nothing is removed here.',
    },
  };
};

const journal: HookCallback = async (input, toolUseID) => {
  const { tool_name, tool_response } = input as PostToolUseHookInput;
  await note(`after ${tool_name} ${toolUseID}: ${JSON.stringify((tool_response as { stdout?: string }).stdout)}`);
  return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'It was written down.' } };
};

for await (const message of query({
  prompt: 'Clean the folder.',
  options: {
    allowedTools: ['Bash'],
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [guard], timeout: 30 }],
      PostToolUse: [{ hooks: [journal] }],
      UserPromptSubmit: [
        {
          hooks: [
            async (input) => {
              await note(`prompt: ${input.hook_event_name === 'UserPromptSubmit' ? input.prompt : '?'}`);
              return {};
            },
          ],
        },
      ],
      Stop: [{ hooks: [async ({ hook_event_name }) => (await note(hook_event_name), {})] }],
    },
  },
})) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
}
console.log(await readFile('journal.txt', 'utf8'));
