import { query } from '@anthropic-ai/claude-agent-sdk';

try {
  for await (const message of query({ prompt: 'Read everything here.', options: { maxBudgetUsd: 0.5 } })) {
    if (message.type !== 'result') continue;
    if (message.subtype === 'success' && !message.is_error) console.log(message.result);
    else if (message.subtype === 'error_max_budget_usd') console.log(`Stopped at ${message.total_cost_usd} dollars.`);
  }
} catch (error) {
  // The loop throws after an error, behind the result.
  console.error(error instanceof Error ? error.message : error);
}
