import { requireCli } from '@hexagent/testing/cli';
import { describe } from 'vitest';

const found = requireCli({ from: import.meta.url });

/** The real CLI. Empty where there is none for this platform: then `withCli` skips what would use it. */
export const cli: string = found ?? '';

/** A `describe` whose tests need the real CLI. */
export const withCli: typeof describe.skip | typeof describe = found === undefined ? describe.skip : describe;
