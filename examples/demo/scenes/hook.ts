import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openSession } from '@hexagent/sdk';
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
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            onFailure: 'block', // if the function throws, the command does not run either
            hooks: [
              ({ tool_input }) => {
                const input = JSON.stringify(tool_input);
                if (!input.includes('rm ')) return {}; // the agent continues
                stopped.push(input);
                return {
                  hookSpecificOutput: {
                    hookEventName: 'PreToolUse',
                    permissionDecision: 'deny',
                    permissionDecisionReason: 'Nothing is deleted here.',
                  },
                };
              },
            ],
          },
        ],
      },
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
