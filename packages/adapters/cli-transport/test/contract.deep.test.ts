import { transportContract } from '@hexagent/testing/contracts';
import { describe, it, vi } from 'vitest';
import { agent, processFixture } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

transportContract({ describe, it }, processFixture(agent));
