import { describe, it } from 'vitest';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { agentProtocolContract } from '@hexagent/testing/contracts';

agentProtocolContract(
  { describe, it },
  { createProtocol: (ports) => new JsonRpcProtocol({ parser: wireParser, ...ports }) },
);
