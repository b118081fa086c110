/* Sends a message and waits, lists the question of a session, or answers it: each from a process of its own. */
import { connect, Opts, SendOpts } from '@restatedev/restate-sdk-clients';
import type { Answer } from './driven-sessions.ts';
import type { SessionHandlers } from './session-object.ts';

const restate = connect({ url: process.env['RESTATE'] ?? 'http://127.0.0.1:8080' });
const [command, target = '', text = '', uuid = crypto.randomUUID()] = process.argv.slice(2);
const name = 'session' as const;
const session = restate.objectClient<SessionHandlers>({ name }, target);

switch (command) {
  case 'send':
    // Restate answers the same key with the same result for a day; the host knows the uuid of a message for longer.
    console.log(JSON.stringify(await session.send({ uuid, text }, Opts.from({ idempotencyKey: uuid }))));
    break;
  case 'post':
    await restate
      .objectSendClient<SessionHandlers>({ name }, target)
      .send({ uuid, text }, SendOpts.from({ idempotencyKey: uuid }));
    break;
  case 'question':
    console.log(JSON.stringify(await session.question()));
    break;
  case 'answer':
    await restate.resolveAwakeable<Answer>(target, { isAllowed: text === 'yes' });
    break;
  default:
    console.error('client.ts send|post SESSION TEXT [UUID] | question SESSION | answer ANSWER-ID yes|no');
    process.exitCode = 2;
}
