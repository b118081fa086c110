import { randomUUID } from 'node:crypto';
import { CliTransport } from '@hexagent/cli-transport';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type { AgentMessage, Channel, Host, Launch, ProtocolOptions } from '@hexagent/ports';
import { ManualClock } from '@hexagent/testing/contracts';
import { cli } from '../support/cli.ts';

export interface Started extends AsyncDisposable {
  readonly channel: Channel;
  readonly messages: readonly AgentMessage[];
  /** Sends a text and resolves with the result that follows. */
  prompt(text: string): Promise<AgentMessage>;
}

/** The real CLI, launched and driven by our own parts and nothing above them. */
export async function start(
  launch: Launch,
  host: Partial<Host> = {},
  options: Pick<ProtocolOptions, 'awaitInitialize'> = {},
): Promise<Started> {
  const connection = await new CliTransport({ executable: cli }).connect(launch);
  const messages: AgentMessage[] = [];
  const waiting: ((message: AgentMessage) => void)[] = [];
  const ids = { request: randomUUID, uuid: randomUUID };
  const channel = new JsonRpcProtocol({ parser: wireParser, ids, clock: new ManualClock() }).open(connection, {
    conversation: 'c',
    ...options,
    initialize: launch.initialize,
    host: {
      message(message) {
        messages.push(message);
        if (message.type === 'result') waiting.shift()?.(message);
      },
      exited: () => {},
      ...host,
    },
  });
  return {
    channel,
    messages,
    async prompt(content) {
      const result = new Promise<AgentMessage>((resolve) => waiting.push(resolve));
      await channel.send({ content, uuid: randomUUID() });
      return await result;
    },
    [Symbol.asyncDispose]: () => channel.close(),
  };
}
