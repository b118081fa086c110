// Starts the agent before anybody asks, so that the first answer comes sooner.
import { startup } from '@anthropic-ai/claude-agent-sdk';

const warm = await startup({ options: { allowedTools: ['Bash'] } });
console.log('ready');
for await (const message of warm.query('Who is there?')) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
}
try {
  warm.query('Again?');
} catch {
  console.log('used up');
}

await using spare = await startup();
console.log(typeof spare.query, 'never used');
