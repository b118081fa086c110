import { approvalStoreContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { MemoryApprovalStore } from '../src/index.ts';

approvalStoreContract({ describe, it }, { isDurable: false, open: () => ({ store: new MemoryApprovalStore() }) });
