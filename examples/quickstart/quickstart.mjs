import { openSession } from '@hexagent/sdk';

const session = await openSession({
  permissions: { allow: ['Read'], deny: ['Bash(rm *)'] },
});
try {
  const turn = session.send('What is 6 times 7?');
  for await (const message of turn) console.log(message.type);
  const outcome = await turn.result;
  if (outcome.kind === 'completed') console.log(outcome.text);
  if (outcome.kind === 'failed') {
    console.error(outcome.message);
    if (outcome.hint) console.error(outcome.hint.remedy);
    process.exitCode = 1;
  }
} finally {
  await session.close();
}
