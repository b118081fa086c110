import { ask } from '@hexagent/sdk';

console.log(await ask('What is 6 times 7?').text());
