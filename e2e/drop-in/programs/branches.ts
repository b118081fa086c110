// A conversation that is taken up again later, and one that branches off it.
import { query, type Options } from '@anthropic-ai/claude-agent-sdk';

async function ask(prompt: string, options: Options = {}): Promise<string> {
  let session = '';
  for await (const message of query({ prompt, options })) {
    if ('session_id' in message && message.session_id) session = message.session_id;
    if (message.type === 'result') console.log(message.subtype === 'success' ? message.result : message.subtype);
  }
  return session;
}

const first = await ask('My name is Ada.');
const again = await ask('Who am I?', { resume: first });
const branch = await ask('Who am I not?', { resume: first, forkSession: true });
const continued = await ask('And now?', { continue: true });
console.log(
  'resumed:',
  again === first,
  'forked:',
  branch !== first,
  'continued:',
  [first, branch].includes(continued),
);
try {
  await ask('Who?', { resume: '00000000-0000-4000-8000-000000000000' });
} catch (error) {
  console.log('no such session:', error instanceof Error);
}
