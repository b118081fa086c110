/** That timers of Node have. */
export const longest: number = 2 ** 31 - 1;

/** Calls back after so many milliseconds; or after the longest time. Returns what cancels it. */
export function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(ms, longest));
  return () => clearTimeout(timer);
}
