/** Costs below a dollar keep two significant digits, since two decimals would show most of them as zero. */
export const usd = (amount: number): string => `$${amount >= 1 ? amount.toFixed(2) : amount.toPrecision(2)}`;

export const tokens = (count: number): string => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`);
