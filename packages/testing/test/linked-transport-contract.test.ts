import { linkedAgents, transportContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';

transportContract({ describe, it }, linkedAgents());
