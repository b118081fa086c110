import { openSession } from '@hexagent/sdk';

const session = await openSession({
  permissions: { allow: ['Read'], deny: ['Bash(rm *)'] },
});
try {
  const turn = session.send('What is 6 times 7?');
  for await (const message of turn) console.log(message.type);
  const outcome = await turn.result;
  console.log(outcome.kind, outcome.kind === 'completed' ? outcome.text : '');
} finally {
  await session.close();
}
