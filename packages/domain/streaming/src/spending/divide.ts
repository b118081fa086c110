import type { Spending } from '@hexagent/ports';
import { mapTokens, priceOf, sumOf, type Tokens } from './amounts.ts';

/** What the messages of one subagent show, on one model. */
interface Share {
  /** The tokens of its requests. Output is not among them: a message is sent before it is counted. */
  readonly seen: Tokens;
  /** The size of its last request, which may have no message. */
  readonly lastRequest: number;
}

/** Divides what subagents spent on a model together: to each what was seen of it, and of the rest by its size. The parts add up to the whole. */
export function divide(whole: Spending, shares: readonly Share[]): readonly Spending[] {
  const sizes = shares.map(({ seen, lastRequest }) => sumOf(seen) + lastRequest);
  const columns = mapTokens((kind) => {
    const seen = shares.map((share) => share.seen[kind]);
    const seenOfWhole = Math.min(whole[kind], total(seen));
    const unseen = inProportion(whole[kind] - seenOfWhole, sizes);
    return inProportion(seenOfWhole, seen).map((part, index) => part + (unseen[index] ?? 0));
  });
  const parts = shares.map((_, index) => mapTokens((kind) => columns[kind][index] ?? 0));
  const price = total(parts.map(priceOf));
  return parts.map((part) => ({
    ...part,
    cost: price === 0 ? whole.cost / parts.length : (whole.cost * priceOf(part)) / price,
  }));
}

/** Whole numbers in these proportions, which add up; equal ones where all weights are zero. */
function inProportion(whole: number, weights: readonly number[]): readonly number[] {
  const used = total(weights) === 0 ? weights.map(() => 1) : weights;
  let [before, given] = [0, 0];
  return used.map((weight) => {
    before += weight;
    const part = Math.round((whole * before) / total(used)) - given;
    given += part;
    return part;
  });
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
