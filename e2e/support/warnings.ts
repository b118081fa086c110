import { afterEach, beforeEach, vi } from 'vitest';

/** Keeps what the process is warned of out of the log, for tests whose callbacks fail on purpose. */
export function expectWarnings(): void {
  beforeEach(() => void vi.spyOn(process, 'emitWarning').mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());
}
