import { openSession } from '@hexagent/sdk';

await using session = await openSession();
console.log(await session.send('Which tests are slow?').text());
console.log(await session.send('And which is the slowest?').text());
