import { describe, expect, it } from 'vitest';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { ConversationService } from '@hexagent/streaming';
import {
  answering,
  gate,
  linkedTransport,
  plainLaunch,
  reply,
  scriptedAgent,
  type LinkedAgent,
  type Step,
} from '@hexagent/testing';
import { randomBelow, stillClock } from './support.ts';

const openGate = gate();
openGate.open();

const steps: readonly (() => Step)[] = [
  () => reply.text('words'),
  () => reply.tool('Bash', { command: 'touch x' }, { asks: true }),
  () => reply.tool('Read', { file_path: '/x' }, { asks: true, readOnly: true }),
  () =>
    reply.subagent('look around', {
      until: openGate,
      report: [reply.tool('Bash', { command: 'touch y' }, { asks: true }), 'the report'],
    }),
  () => reply.shell('tail -f /dev/null'),
];

async function holdConversation(
  seed: number,
): Promise<{ readonly agent: LinkedAgent; readonly late: readonly string[]; readonly asked: number }> {
  const next = randomBelow(seed);
  const turns = Array.from({ length: 1 + next(4) }, () => [
    ...Array.from({ length: next(4) }, () => steps[next(steps.length)]!()),
    reply.text('end'),
  ]);
  const late: string[] = [];
  let ended = false;
  const play = scriptedAgent({ turns });
  const { transport, agent } = linkedTransport((side) => {
    side.onInputEnd(() => (ended = true));
    const write = side.write.bind(side);
    side.write = (...frames) => {
      for (const frame of frames)
        if (ended && 'type' in frame && frame.type === 'control_request') late.push(JSON.stringify(frame));
      write(...frames);
    };
    play(side);
  });
  const ids = { request: () => crypto.randomUUID(), uuid: () => crypto.randomUUID() };
  const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock: stillClock });
  let asked = 0;
  const conversation = await new ConversationService({ transport, protocol, clock: stillClock, ids }).open({
    launch: { ...plainLaunch(), args: ['--permission-prompt-tool=stdio'] },
    features: [answering({ can_use_tool: async () => ((asked += 1), { behavior: 'allow' }) })],
  });
  for (const _ of turns) {
    const turn = conversation.send('go');
    if (next(2) === 0) await turn.result;
  }
  await conversation.finish();
  return { agent, late, asked };
}

describe('#1 An agent after finish()', () => {
  it.each(Array.from({ length: 200 }, (_, seed) => seed))(
    'never sends a request after its input was closed (seed %i)',
    async (seed) => {
      expect((await holdConversation(seed)).late).toEqual([]);
    },
  );

  it('sends more than 50 permission requests in 50 seeds, so that the test above can fail', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, (_, seed) => holdConversation(seed)));
    expect(all.reduce((sum, { asked }) => sum + asked, 0)).toBeGreaterThan(50);
  });
});
