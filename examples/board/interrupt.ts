import { openSession } from '@hexagent/sdk';

await using session = await openSession();
const turn = session.send('Count to a million.');
setTimeout(() => void turn.interrupt(), 2000);
console.log((await turn.result).kind);
