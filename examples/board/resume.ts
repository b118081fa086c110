import { ask } from '@hexagent/sdk';

console.log(await ask('Where were we?', { continue: true }).text());
