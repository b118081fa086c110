import { deny, openSession, type Session, type SessionOptions } from '@hexagent/sdk';
import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect } from 'vitest';
import { stage, type Stage } from '../support/stage.ts';

export type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

export interface World extends AsyncDisposable {
  readonly session: Session;
  readonly cwd: string;
  /** The commands and paths about which the approver was asked since this was last read. */
  asked(): readonly string[];
  /** Has the model make these calls in one turn, and returns the result of each. */
  call(...calls: readonly Call[]): Promise<readonly string[]>;
}

export const bash = (command: string): Call => ['Bash', { command }];

/** A session whose model makes the calls of the test, and whose person denies unless the options have another. */
export async function world(options: SessionOptions, prepare: (place: Stage) => void = () => {}): Promise<World> {
  let calls: readonly Call[] = [];
  let texts: readonly string[] = [];
  let hasCalled = false;
  const asked: string[] = [];
  const place = await stage(
    (request) => {
      hasCalled = !hasCalled;
      if (hasCalled) return calls.map(([name, input]) => toolUse(name, input));
      texts = toolResults(request)
        .slice(-calls.length)
        .map(({ text }) => text);
      return 'Done.';
    },
    { IS_SANDBOX: '1' },
  );
  prepare(place);
  const given = options.onAsk ?? (() => deny('The approver says no.'));
  const onAsk: typeof given = (ask) => {
    const { command, file_path: path } = (ask.input ?? {}) as { command?: string; file_path?: string };
    asked.push(command ?? path ?? '');
    return given(ask);
  };
  const session = await openSession({
    ...place.options,
    ...options,
    onAsk,
  });
  return {
    session,
    cwd: place.home.cwd,
    asked: () => asked.splice(0),
    async call(...made) {
      calls = made;
      expect(await session.send('go').result).toMatchObject({ kind: 'completed' });
      return texts;
    },
    async [Symbol.asyncDispose]() {
      await session.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
