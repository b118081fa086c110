import { runChatPromises, type ChatsFixture } from './chat-fixture.ts';
import { goingOn } from './chat-going-on.ts';
import { listing } from './chat-listing.ts';
import { starting, whereFewFit } from './chat-starting.ts';
import { streaming } from './chat-streaming.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** What every `ChatSessions` promises. Run it against yours; a pass means that a handler of web requests can use it. */
export function chatSessionsContract(runner: Runner, fixture: ChatsFixture): void {
  const limited = limitedRunner('chatSessionsContract', runner, fixture);
  const { open, openSmall } = fixture;
  const { describe } = limited;
  describe('ChatSessions contract', () => {
    describe('Starting', () => {
      runChatPromises(limited, open, starting);
      runChatPromises(limited, openSmall, whereFewFit);
    });
    describe('Streaming and stopping', () => runChatPromises(limited, open, streaming));
    describe('Continuing what was cut off', () => runChatPromises(limited, open, goingOn));
    describe('Listing and deleting', () => runChatPromises(limited, open, listing));
  });
}
