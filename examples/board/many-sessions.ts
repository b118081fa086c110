import { ask } from '@hexagent/sdk';

console.log(await Promise.all(process.argv.slice(2).map((cwd) => ask('What is in this folder?', { cwd }).text())));
