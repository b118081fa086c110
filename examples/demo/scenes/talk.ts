import { openSession, textDeltaOf } from '@hexagent/sdk';
import { TurnFailed, type Scene } from '../scene.ts';

export const talk: Scene = {
  title: 'Say something, and read the answer while it is written',

  async play({ terminal, place, check }) {
    const prompt = await terminal.readLine('You', 'What can you do?');
    const session = await openSession({ ...place, partialMessages: true });
    try {
      const sent = performance.now();
      let firstText = 0;
      const turn = session.send(prompt);
      terminal.begin('Agent: ');
      for await (const message of turn) {
        const text = textDeltaOf(message);
        if (text !== '') firstText ||= performance.now() - sent;
        terminal.write(text);
      }
      const outcome = await turn.result; // a failed turn is a value too
      if (outcome.kind === 'failed') throw new TurnFailed(outcome);
      const lastText = performance.now() - sent;
      check(
        `The text began after ${firstText.toFixed(0)} ms and ended after ${lastText.toFixed(0)} ms.`,
        outcome.kind === 'completed' && firstText > 0,
      );
    } finally {
      await session.close();
    }
  },
};
