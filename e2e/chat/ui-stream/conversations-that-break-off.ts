import { join } from 'node:path';
import {
  apiError,
  cut,
  errorEvent,
  lastUserText,
  silent,
  text,
  thinking,
  toolResults,
} from '@hexagent/testing/loopback';
import { onePending } from '../../support/asking.ts';
import type { Conversation } from './conversation.ts';
import { bash, waitFor, interruptOnceItStreams, holdsFirst, failsOnce } from './scripts.ts';

export const thatBreakOff: Readonly<Record<string, Conversation>> = {
  'an interrupt while a text streams': { script: holdsFirst, drive: interruptOnceItStreams },
  'an interrupt while a tool runs': {
    script: (request) => (lastUserText(request) === 'two' ? 'fine' : bash('touch begun; exec tail -f /dev/null')),
    async drive(run) {
      const live = run.send('one');
      await waitFor(join(run.place.home.cwd, 'begun'));
      await live.turn.interrupt();
      await live.ended;
      await run.send('two').ended;
    },
  },
  'an interrupt while a person is asked': {
    script: (request) => (lastUserText(request) === 'two' ? 'fine' : bash('touch made')),
    decide: () => new Promise(() => {}),
    async drive(run) {
      const live = run.send('one');
      await onePending(run.session);
      await live.turn.interrupt();
      await live.ended;
      await run.send('two').ended;
    },
  },
  'an interrupt before the model answers': {
    script: (request) => (lastUserText(request) === 'one' ? silent() : 'fine'),
    async drive(run) {
      const live = run.send('one');
      await run.place.loopback.received(1);
      await live.turn.interrupt();
      await live.ended;
      await run.send('two').ended;
    },
  },
  'an error of the service': { script: () => apiError(400), options: { maxRetries: 0 } },
  'an error of the service after a tool': {
    script: (request) => (toolResults(request).length === 0 ? bash('echo hi') : apiError(500)),
    options: { maxRetries: 0 },
  },
  'a request that is tried again': { script: [apiError(529, { retryAfter: 0 }), 'fine'] },
  'a stream that breaks off': { script: failsOnce(text(['half ', errorEvent()])) },
  'a stream that breaks off behind a block': {
    script: failsOnce(thinking('hm'), text('complete'), text(['half ', errorEvent()])),
  },
  'a stream that breaks off behind a tool': {
    script: failsOnce(text('complete'), bash('echo hi'), errorEvent()),
    asStored: {
      because: 'what the agent wrote about it hangs on no message of the conversation',
      answers: (answers) =>
        answers.map((answer) => {
          const at = answer.parts.findIndex((part) => JSON.stringify(part).includes('API Error'));
          return at === -1 ? answer : { ...answer, parts: answer.parts.toSpliced(at - 1, 2) };
        }),
    },
  },
  'a connection that is lost': {
    script: failsOnce(text(['half ', 'more ', { type: 'pause', ms: 100 }, cut()])),
  },
};
