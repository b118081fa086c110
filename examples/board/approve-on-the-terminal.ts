import { createInterface } from 'node:readline/promises';
import { allow, ask, deny } from '@hexagent/sdk';

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const answer = ask('Make a file for each season.', {
  async onAsk({ tool, input, signal }) {
    const typed = await terminal.question(`${tool} ${JSON.stringify(input)} (y/n)? `, { signal });
    return typed === 'y' ? allow() : deny('The person said no.');
  },
});
console.log(await answer.text());
terminal.close();
