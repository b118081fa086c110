import { mcpServerContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { engines } from './engines.ts';

describe.each(engines)('#58 A server $engine', ({ fixture }) => {
  mcpServerContract({ describe, it }, fixture);
});
