import { isRecord } from '@hexagent/checks';
import type { ModelUsage, Spending, Usage } from '@hexagent/ports';

// What the wire reports may be malformed: a frame that fails its check is delivered too. Nothing here may throw for it.

/** Kinds of tokens, which add up and are divided one by one. */
const tokenKinds = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

export type Tokens = Readonly<Record<(typeof tokenKinds)[number], number>>;

export const noTokens: Tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
export const nothingSpent: Spending = { ...noTokens, cost: 0 };

/** What a kind costs beside input, in the price lists of all models. */
const weights: Tokens = { inputTokens: 1, outputTokens: 5, cacheReadTokens: 0.1, cacheWriteTokens: 1.25 };

export function mapTokens<T>(make: (kind: keyof Tokens) => T): Readonly<Record<keyof Tokens, T>> {
  return {
    inputTokens: make('inputTokens'),
    outputTokens: make('outputTokens'),
    cacheReadTokens: make('cacheReadTokens'),
    cacheWriteTokens: make('cacheWriteTokens'),
  };
}

export const plus = (a: Tokens, b: Tokens): Tokens => mapTokens((kind) => a[kind] + b[kind]);
/** Never below zero: what two frames report may overlap. */
export const minus = (a: Tokens, b: Tokens): Tokens => mapTokens((kind) => Math.max(0, a[kind] - b[kind]));
export const larger = (a: Tokens, b: Tokens): Tokens => mapTokens((kind) => Math.max(a[kind], b[kind]));
export const spentTogether = (a: Spending, b: Spending): Spending => ({ ...plus(a, b), cost: a.cost + b.cost });
export const sumOf = (tokens: Tokens): number => tokenKinds.reduce((sum, kind) => sum + tokens[kind], 0);
/** The price in units of an input token. */
export const priceOf = (tokens: Tokens): number =>
  tokenKinds.reduce((sum, kind) => sum + tokens[kind] * weights[kind], 0);

export function tokensOfUsage(usage: Partial<Usage> | null | undefined): Tokens {
  return {
    inputTokens: count(usage?.input_tokens),
    outputTokens: count(usage?.output_tokens),
    cacheReadTokens: count(usage?.cache_read_input_tokens),
    cacheWriteTokens: count(usage?.cache_creation_input_tokens),
  };
}

export function spendingByModel(models: unknown): ReadonlyMap<string, Spending> {
  if (!isRecord(models)) return new Map();
  return new Map(Object.entries(models).map(([model, usage]) => [model, spendingOfModel(Object(usage) as object)]));
}

function spendingOfModel(usage: Partial<ModelUsage>): Spending {
  return {
    inputTokens: count(usage.inputTokens),
    outputTokens: count(usage.outputTokens),
    cacheReadTokens: count(usage.cacheReadInputTokens),
    cacheWriteTokens: count(usage.cacheCreationInputTokens),
    cost: count(usage.costUSD),
  };
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
