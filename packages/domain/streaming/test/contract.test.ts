import { describe, it } from 'vitest';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { ConversationService } from '@hexagent/streaming';
import { conversationsContract } from '@hexagent/testing/contracts';

conversationsContract(
  { describe, it },
  {
    createConversations: (parts) =>
      new ConversationService({ ...parts, protocol: new JsonRpcProtocol({ parser: wireParser, ...parts }) }),
  },
);
