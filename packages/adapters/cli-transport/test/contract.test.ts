import { transportContract } from '@hexagent/testing/contracts';
import { describe, it, vi } from 'vitest';
import { agent } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

transportContract(
  { describe, it },
  {
    echoing: () => agent('echoing.mjs'),
    crashing: (words) => agent('crashing.mjs', words),
    talkative: (speech) => agent('talkative.mjs', speech),
    breakingOff: (words) => agent('breaking-off.mjs', words),
    stubborn: () => agent('stubborn.mjs'),
    exiting: () => agent('leaving.mjs'),
    holdsBackSenders: true,
  },
);
