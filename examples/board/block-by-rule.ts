import { ask } from '@hexagent/sdk';

const permissions = { allow: ['Bash'], deny: ['Bash(rm *)'] };
console.log(await ask('Clean this folder up.', { permissions }).text());
