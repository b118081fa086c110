import { runChatPromises, type ChatsFixture } from './chat-fixture.ts';
import { goingOn } from './chat-going-on.ts';
import { listing } from './chat-listing.ts';
import { starting, whereFewFit } from './chat-starting.ts';
import { streaming } from './chat-streaming.ts';
import type { Runner } from './runner.ts';

/** What every `ChatSessions` promises. Run it against yours; a pass means that a handler of web requests can use it. */
export function chatSessionsContract(runner: Runner, { open, openSmall }: ChatsFixture): void {
  const { describe } = runner;
  describe('ChatSessions contract', () => {
    describe('Starting', () => {
      runChatPromises(runner, open, starting);
      runChatPromises(runner, openSmall, whereFewFit);
    });
    describe('Streaming and stopping', () => runChatPromises(runner, open, streaming));
    describe('Going on with what was cut off', () => runChatPromises(runner, open, goingOn));
    describe('Listing and deleting', () => runChatPromises(runner, open, listing));
  });
}
