import { callable, positive, record, refuse, shown, wholePositive, type Check } from '@hexagent/checks';
import type { Budget } from '@hexagent/ports';

const share: Check<number> = (value, place) => {
  if (typeof value === 'number' && value > 0 && value < 1) return value;
  throw refuse(place, 'a share between 0 and 1', shown(value));
};

const fields = record<Budget>(
  { usd: positive, tokens: wholePositive, turns: wholePositive, onNear: callable(), nearAt: share },
  { elsewhere: { maxBudgetUsd: 'budget.usd', maxTurns: 'budget.turns', dollars: 'budget.usd' } },
);

/** A budget without a limit would hold nothing. */
export const budget: Check<Budget> = (value, place) => {
  const given = fields(value, place);
  if ((given.usd ?? given.tokens ?? given.turns) === undefined)
    throw new TypeError(`\`${place}\` needs a limit: \`usd\`, \`tokens\` or \`turns\`.`);
  return given;
};
