import { isJson, numberAt, objectAt, type Json } from './entry.ts';
import { nothingSpent, sumOf, type Amounts } from './run.ts';

/**
 * What each turn spent, by the results of one agent. The agent's totals run on from result to result, and those of a resumed
 * session begin with what it had spent before.
 */
export class Spending {
  #total: Amounts | undefined;

  /** Called once for each result, in their order. */
  amountsOf(result: Json): Amounts {
    const total = totalOf(result);
    const before = this.#total;
    this.#total = total;
    const since = result['model_usage_since_last_result'];
    if (isJson(since)) return sumOfModels(since);
    if (before === undefined) return { ...ofUsage(objectAt(result, 'usage')), cost: total.cost };
    return {
      cost: atLeastZero(total.cost - before.cost),
      input: atLeastZero(total.input - before.input),
      output: atLeastZero(total.output - before.output),
      cacheRead: atLeastZero(total.cacheRead - before.cacheRead),
      cacheWrite: atLeastZero(total.cacheWrite - before.cacheWrite),
    };
  }
}

// An agent that cleared its conversation begins to count anew.
const atLeastZero = (difference: number): number => Math.max(0, difference);

const totalOf = (result: Json): Amounts => ({
  ...sumOfModels(objectAt(result, 'modelUsage')),
  cost: numberAt(result, 'total_cost_usd'),
});

function sumOfModels(models: Json): Amounts {
  return sumOf(
    Object.values(models)
      .filter(isJson)
      .map((usage) => ({
        cost: numberAt(usage, 'costUSD'),
        input: numberAt(usage, 'inputTokens'),
        output: numberAt(usage, 'outputTokens'),
        cacheRead: numberAt(usage, 'cacheReadInputTokens'),
        cacheWrite: numberAt(usage, 'cacheCreationInputTokens'),
      })),
  );
}

const ofUsage = (usage: Json): Amounts => ({
  ...nothingSpent,
  input: numberAt(usage, 'input_tokens'),
  output: numberAt(usage, 'output_tokens'),
  cacheRead: numberAt(usage, 'cache_read_input_tokens'),
  cacheWrite: numberAt(usage, 'cache_creation_input_tokens'),
});
