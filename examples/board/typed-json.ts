import { ask } from '@hexagent/sdk';
import { z } from 'zod';

const city = z.object({ name: z.string(), people: z.number() });
const { name, people } = await ask('Which is the largest city of France?', { output: city }).output();
console.log(`${name}: ${people} people`);
