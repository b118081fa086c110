import { openSession, textDeltaOf } from '@hexagent/sdk';
import { retryNotice, TurnFailed, type Scene } from '../scene.ts';

export const talk: Scene = {
  title: 'Say something, and read the answer while it is written',

  async play({ terminal, place, check }) {
    const prompt = await terminal.readLine('You', 'What can you do?');
    const session = await openSession({ ...place, partialMessages: true });
    try {
      const sent = performance.now();
      const arrivals: number[] = [];
      const turn = session.send(prompt);
      terminal.begin('Agent: ');
      for await (const message of turn) {
        terminal.notice(retryNotice(message));
        const text = textDeltaOf(message);
        if (text === '') continue;
        arrivals.push(performance.now() - sent);
        terminal.write(text);
      }
      const outcome = await turn.result; // a failed turn is a value too
      if (outcome.kind === 'failed') throw new TurnFailed(outcome);
      if (outcome.kind !== 'completed') throw new Error(`The turn was ${outcome.kind}.`);
      const [first, last] = [arrivals[0], arrivals.at(-1)];
      if (first === undefined || last === undefined) {
        terminal.line(outcome.text); // some lines, such as /cost, are answered by the CLI itself
        return;
      }
      const times = `from ${first.toFixed(0)} to ${last.toFixed(0)} ms after the message`;
      check(`The text came in ${arrivals.length} pieces, ${times}.`, arrivals.length > 0);
    } finally {
      await session.close();
    }
  },
};
