/** US dollars, with as many digits as it takes to see something. */
export function formatCost(dollars: number): string {
  return `$${dollars.toFixed(dollars >= 0.1 ? 2 : 4)}`;
}
