import { clockContract } from '@hexagent/testing/contracts';
import { afterEach, beforeEach, describe, it, vi } from 'vitest';
import { systemClock } from '@hexagent/processes';

// The timers of Node and these agree on what a delay above 2^31 - 1 does: it fires after a millisecond.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('The clock of the system', () => {
  clockContract(
    { describe, it },
    { createClock: () => ({ clock: systemClock, pass: (ms) => void vi.advanceTimersByTime(ms) }) },
  );
});
