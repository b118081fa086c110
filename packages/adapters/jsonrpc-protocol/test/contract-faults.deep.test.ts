import { agentProtocolContract, plantedFaults } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { ofAnswers, ofLostValues } from './faults-of-answers.ts';
import { ofCallbacks } from './faults-of-callbacks.ts';
import { ofExits } from './faults-of-exits.ts';
import { ofInitializing } from './faults-of-initializing.ts';
import { ofMessages } from './faults-of-messages.ts';
import { ofRequests } from './faults-of-requests.ts';
import { faulty } from './faulty-protocol.ts';

describe('The contract of protocols', () => {
  plantedFaults(
    { it },
    {
      suite: agentProtocolContract,
      kept: faulty({}),
      rounds: 500,
      faults: [ofInitializing, ofRequests, ofMessages, ofAnswers, ofLostValues, ofCallbacks, ofExits].flat(),
    },
  );
});
