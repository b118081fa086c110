import { isRecord } from '@hexagent/checks';
import type { AgentMessage, ResultMessage, Spending } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { SpendingFold, type TurnSpending } from '../../packages/domain/streaming/src/spending/spending-fold.ts';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { turnsOf } from './recorded-turns.ts';

const names = (await listRecordings()).map(({ name }) => name);

interface Folded {
  readonly fold: SpendingFold;
  readonly turns: readonly { readonly result: ResultMessage; readonly spent: TurnSpending }[];
}

/** Each recording as one session, from its first result on. */
async function folded(name: string): Promise<Folded> {
  const fold = new SpendingFold();
  const turns: { result: ResultMessage; spent: TurnSpending }[] = [];
  for (const events of turnsOf(await loadRecording(name)))
    for (const event of events) {
      if (event.kind !== 'message') continue;
      const message = event.message as AgentMessage; // as the CLI wrote it
      fold.note(message);
      if (message.type === 'result' && isRecord(message.modelUsage))
        turns.push({ result: message, spent: fold.end(message) });
    }
  return { fold, turns };
}

const sumOf = (
  parts: readonly Spending[],
): { readonly input: number; readonly output: number; readonly cost: number } => ({
  input: parts.reduce((sum, part) => sum + part.inputTokens, 0),
  output: parts.reduce((sum, part) => sum + part.outputTokens, 0),
  cost: parts.reduce((sum, part) => sum + part.cost, 0),
});

const tokensOf = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Spending): readonly number[] => [
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
];

describe('#17 What a session spends, in every recording,', () => {
  it.each(names)('adds up to the totals of the CLI: %s', async (name) => {
    const { fold, turns } = await folded(name);
    const { ledger } = fold;
    // After `/clear` the totals begin anew: the last of each series counts.
    const lasts = turns.filter(({ result }, index) => {
      const next = turns[index + 1]?.result;
      return next === undefined || next.total_cost_usd < result.total_cost_usd;
    });
    const last = lasts.at(-1)?.result;
    expect(ledger.results).toBe(turns.length);
    const totals = lasts.reduce((sum, { result }) => sum + result.total_cost_usd, 0);
    expect(ledger.cost + ledger.costBefore).toBeCloseTo(totals, 10);
    expect(ledger.cost).toBeCloseTo(
      turns.reduce((sum, { spent }) => sum + spent.cost, 0),
      10,
    );
    // A part of the totals was spent before the recording began, or before `/clear`.
    if (ledger.costBefore > 0 || lasts.length !== 1) return;
    expect(Object.entries(ledger.models).map(([model, spent]) => [model, tokensOf(spent)])).toEqual(
      Object.entries(last?.modelUsage ?? {}).map(([model, total]) => [
        model,
        [total.inputTokens, total.outputTokens, total.cacheReadInputTokens, total.cacheCreationInputTokens],
      ]),
    );
  });

  it.each(names)('is divided among subagents without a rest, and never beyond it: %s', async (name) => {
    for (const { spent, result } of (await folded(name)).turns) {
      const [all, beside] = [Object.values(spent.models), spent.subagents].map(sumOf);
      expect(beside?.cost).toBeLessThanOrEqual((all?.cost ?? 0) + 1e-9);
      // A turn that was cut short does not report the whole part of the conversation itself.
      if (spent.subagents.length === 0 || result.is_error) continue;
      const { input_tokens: input, output_tokens: output } = result.usage;
      expect([beside?.input, beside?.output]).toEqual([(all?.input ?? 0) - input, (all?.output ?? 0) - output]);
    }
  });
});
