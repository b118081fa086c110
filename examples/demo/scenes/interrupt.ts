import { openSession, textDeltaOf, type InterruptOutcome } from '@hexagent/sdk';
import type { Scene } from '../scene.ts';

export const interrupt: Scene = {
  title: 'An interrupt reports what it achieved',

  async play({ terminal, place, ask, check }) {
    const session = await openSession({ ...place, partialMessages: true });
    try {
      const prompt = 'Count to one thousand.';
      const turn = session.send(prompt);
      terminal.line(`You: ${prompt}`);
      terminal.begin('Agent: ');
      let length = 0;
      let interrupted: Promise<InterruptOutcome> | undefined;
      for await (const message of turn) {
        const text = textDeltaOf(message);
        terminal.write(text);
        length += text.length;
        if (length > 150) interrupted ??= turn.interrupt();
      }
      const outcome = await turn.result;
      const proof = outcome.kind === 'interrupted' ? outcome.result.terminal_reason : outcome.kind;
      check(
        `turn.interrupt() resolved with "${await interrupted}": the result of the CLI has the terminal_reason "${proof}".`,
        (await interrupted) === 'interrupted',
      );
      const answer = await ask(session, 'Are you still there?');
      check('The session continues: the next message has its own answer.', answer !== '');
    } finally {
      await session.close();
    }
  },
};
