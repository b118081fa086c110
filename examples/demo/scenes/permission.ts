import { existsSync } from 'node:fs';
import path from 'node:path';
import { allow, deny, openSession } from '@hexagent/sdk';
import type { Scene } from '../scene.ts';

export const permission: Scene = {
  title: 'You decide what may run',

  async play({ terminal, place, ask, check }) {
    let allowed = false;
    const session = await openSession({
      ...place,
      partialMessages: true,
      // Called for calls that no rule decides. It has no deadline.
      onAsk: async ({ tool, signal }) => {
        allowed = await terminal.confirm(`May it run this ${tool} command?`, signal);
        return allowed ? allow() : deny('The person said no.');
      },
    });
    try {
      await ask(session, 'Leave a note for Ada in note.txt.');
      const written = existsSync(path.join(place.cwd, 'note.txt'));
      check(written ? 'note.txt was written, since you allowed it.' : 'There is no note.txt.', written === allowed);
    } finally {
      await session.close();
    }
  },
};
