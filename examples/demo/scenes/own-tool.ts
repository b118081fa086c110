import { createSdkMcpServer, openSession, tool } from '@hexagent/sdk';
import { z } from 'zod';
import type { Scene } from '../scene.ts';

export const ownTool: Scene = {
  title: 'A function of this program is a tool of the agent',

  async play({ place, ask, check }) {
    let cups = 3;
    const pour = tool('pour_coffee', 'Pours one cup of coffee', { guest: z.string() }, ({ guest }) => {
      cups -= 1;
      return { content: [{ type: 'text', text: `A cup for ${guest}. ${cups} are left.` }] };
    });
    const session = await openSession({
      ...place,
      partialMessages: true,
      tools: [{ kitchen: createSdkMcpServer({ name: 'kitchen', tools: [pour] }) }],
      permissions: { allow: ['mcp__kitchen'] },
    });
    try {
      await ask(session, 'Please pour a coffee for Ada.');
      check(`The tool changed a variable of this program: \`cups\` was 3 and is ${cups}.`, cups === 2);
    } finally {
      await session.close();
    }
  },
};
