import { transportContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { agent } from './agents.ts';

transportContract(
  { describe, it },
  {
    echoing: () => agent('echoing.mjs'),
    crashing: (words) => agent('crashing.mjs', words),
    talkative: (speech) => agent('talkative.mjs', speech),
    breakingOff: (words) => agent('breaking-off.mjs', words),
    stubborn: () => agent('stubborn.mjs'),
    leaving: () => agent('leaving.mjs'),
    holdsBackSenders: true,
  },
);
