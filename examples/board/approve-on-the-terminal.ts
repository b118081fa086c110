import { createInterface } from 'node:readline/promises';
import { allow, ask, deny, type Ask } from '@hexagent/sdk';

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const askPerson = async ({ tool, input, signal }: Ask) =>
  (await terminal.question(`${tool} ${JSON.stringify(input)} (y/n)? `, { signal })) === 'y' ? allow() : deny('No.');
// The agent may ask about several calls at once: the person sees one question at a time.
let last: ReturnType<typeof askPerson> | undefined;
const onAsk = (call: Ask) => (last = Promise.resolve(last).then(() => askPerson(call)));
console.log(await ask('Compare one.example with two.example.', { onAsk }).text());
terminal.close();
