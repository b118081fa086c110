import { cachedPart, type Amounts } from './run.ts';

/** Such as `340 ms`, `3.2 s`, `2 min 5 s`. */
export function formatTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Such as `+12.345`: seconds since the start. */
export function formatOffset(ms: number): string {
  return `+${(ms / 1000).toFixed(3)}`;
}

export function formatCost(cost: number): string {
  return `$${cost.toFixed(cost !== 0 && cost < 0.01 ? 4 : 2)}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

export function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The tokens that were sent, all kinds of input together. */
export const inputOfAmounts = ({ input, cacheRead, cacheWrite }: Amounts): number => input + cacheRead + cacheWrite;

/** Such as `$0.12 · 4,210 in, 320 out · 87 % cached`. */
export function formatAmounts(amounts: Amounts): string {
  const cached = cachedPart(amounts);
  const tokens = `${formatCount(inputOfAmounts(amounts))} in, ${formatCount(amounts.output)} out`;
  const parts = [formatCost(amounts.cost), tokens];
  return [...parts, ...(cached === undefined ? [] : [`${Math.round(cached * 100)} % cached`])].join(' · ');
}
