import { controlling, handling, naming, opening } from './conversations-asking.ts';
import { aborting, closing } from './conversations-closing.ts';
import { events } from './conversations-events.ts';
import { finishing, idling } from './conversations-finishing.ts';
import type { ConversationsFixture, ConversationsPromises } from './conversations-fixture.ts';
import { interrupting, withdrawing } from './conversations-interrupting.ts';
import { breaking, leaving } from './conversations-leaving.ts';
import { reading } from './conversations-reading.ts';
import { receiving } from './conversations-receiving.ts';
import { folding, unsent } from './conversations-sharing.ts';
import { turns } from './conversations-turns.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** What every `Conversations` promises. Run it against yours; a pass means that the SDK can use it. */
export function conversationsContract(runner: Runner, fixture: ConversationsFixture): void {
  const { describe, it } = limitedRunner('conversationsContract', runner, fixture);
  const run = (promises: ConversationsPromises) => (): void => {
    for (const [name, keep] of Object.entries(promises)) it(name, () => keep(fixture));
  };
  describe('Conversations contract', () => {
    describe('Opening', run(opening));
    describe('Identity', run(naming));
    describe('A turn', run(turns));
    describe('A message that shares a turn', run(folding));
    describe('Unsolicited turns', run(unsent));
    describe('`received` of a turn', run(receiving));
    describe('An interrupt', run(interrupting));
    describe('An interrupt of a queued turn', run(withdrawing));
    describe('Reading', run(reading));
    describe('`events()`', run(events));
    describe('`idle()`', run(idling));
    describe('`finish()`', run(finishing));
    describe('`close()`', run(closing));
    describe('The signal', run(aborting));
    describe('An agent that leaves', run(leaving));
    describe('An agent that cannot be read', run(breaking));
    describe('`control()`', run(controlling));
    describe('No rejection is unhandled', run(handling));
  });
}
