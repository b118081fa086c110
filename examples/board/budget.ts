import { ask } from '@hexagent/sdk';

const result = await ask('Read everything here.', { budget: { usd: 0.5 } }).result;
console.log(result.kind === 'completed' ? result.text : result);
