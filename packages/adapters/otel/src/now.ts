let anchor = Date.now() - performance.now();

/** Milliseconds since 1970 with their fractions. Follows the clock of the system where that was set, as `Date.now()` does. */
export function now(): number {
  const time = anchor + performance.now();
  const clock = Date.now();
  if (Math.abs(clock - time) < 100) return time;
  anchor += clock - time;
  return clock;
}
