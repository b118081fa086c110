import { ask, tool, toolResult } from '@hexagent/sdk';
import { z } from 'zod';

const roll = tool('roll', 'Rolls a die', { sides: z.number() }, ({ sides }) =>
  toolResult.text(String(1 + Math.floor(Math.random() * sides))),
);
console.log(await ask('Roll a die with 20 sides.', { tools: [roll], permissions: { allowOwnTools: true } }).text());
