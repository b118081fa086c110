import { SdkError } from '@hexagent/sdk';
import { createChat } from '@hexagent/chat';
import type { Loopback, Script } from '@hexagent/testing/loopback';
import type { HermeticHome } from '@hexagent/testing/cli';
import { stage } from '../support/stage.ts';
import type { Place } from './place.ts';
import type { Visitor } from './visits.ts';

/** A chat with the real CLI and a scripted model. */
export interface RealChat extends Visitor, AsyncDisposable {
  readonly home: HermeticHome;
  readonly loopback: Loopback;
}

export async function realChat(place: Place, script: Script): Promise<RealChat> {
  const { options, home, loopback, ...scene } = await stage(script);
  const { cwd, executable, env } = options;
  const chat = createChat({
    // The files that kept rules are written to count, so that a rule that was ticked has the effect that the card describes.
    session: { cwd, executable, env, settings: ['local'], toolOutput: true },
    folder: false,
    permissionModes: ['acceptEdits'],
    suggestions: 'all',
    onError(error) {
      // A test that kills an agent sees it on the page.
      if (!SdkError.is(error) || error.code !== 'AGENT_EXITED') console.error(error);
    },
  });
  const { url } = await place.serve(chat.handle);
  return {
    ...(await place.visit(url)),
    home,
    loopback,
    async [Symbol.asyncDispose]() {
      await chat.close();
      await scene[Symbol.asyncDispose]();
    },
  };
}
