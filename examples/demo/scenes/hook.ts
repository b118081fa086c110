import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHooks, hooks, openSession } from '@hexagent/sdk';
import type { Scene } from '../scene.ts';

export const hook: Scene = {
  title: 'A hook stops a command, although a rule allows it',

  async play({ place, ask, check }) {
    const letter = path.join(place.cwd, 'letter.txt');
    writeFileSync(letter, 'Dear Ada');
    const stopped: string[] = [];
    const session = await openSession({
      ...place,
      partialMessages: true,
      permissions: { allow: ['Bash'] },
      hooks: createHooks().on(
        'PreToolUse',
        'Bash',
        hooks.validate(({ command }) => {
          const text = String(command);
          if (!text.includes('rm ')) return true; // the agent continues
          stopped.push(text);
          return 'Nothing is deleted here.'; // so it is where the function throws
        }),
      ),
    });
    try {
      await ask(session, 'Delete letter.txt with rm, in a shell.');
      check(`The hook stopped ${stopped.join(', ') || 'nothing'}.`, stopped.length > 0);
      check('letter.txt is still there: the command did not run.', existsSync(letter));
    } finally {
      await session.close();
    }
  },
};
