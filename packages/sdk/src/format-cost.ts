import { shown } from '@hexagent/checks';

/** US dollars, with as many digits as it takes to see something. @throws {TypeError} for what is not a number. */
export function formatCost(dollars: number): string {
  if (typeof dollars !== 'number' || Number.isNaN(dollars))
    throw new TypeError(`formatCost() takes dollars, as \`cost\` of an outcome, not ${shown(dollars)}.`);
  return `$${dollars.toFixed(dollars >= 0.1 ? 2 : 4)}`;
}
