import { readFileSync } from 'node:fs';
import path from 'node:path';
import { allow, createSdk, deny } from '@hexagent/sdk';
import { CliTransport } from '@hexagent/cli-transport';
import { recordTo } from '@hexagent/tapes';
import { lastUserText, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { firstDifference } from '../../packages/server/inspector/src/fold/difference.ts';
import { foldLines, type RunFold } from '../../packages/server/inspector/src/fold/run-fold.ts';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

function script(request: ModelRequest): TurnLike {
  if (toolResults(request).length > 0) return 'Done.';
  return toolUse('Bash', { command: `touch ${lastUserText(request).includes('one') ? 'one' : 'two'}` });
}

/** Two turns with the real CLI in a folder of their own, the second of which may be denied. */
async function recorded(second: 'allow' | 'deny'): Promise<RunFold> {
  await using scene = await stage(script);
  const tape = path.join(scene.home.root, 'run.tape');
  const { executable, ...options } = scene.options;
  const sdk = createSdk({ transport: recordTo(tape, { transport: new CliTransport({ executable }) }) });
  const session = await sdk.openSession({
    ...options,
    onAsk: ({ input }) => (second === 'deny' && JSON.stringify(input).includes('two') ? deny('Not two.') : allow()),
  });
  await session.send('one').result;
  await session.send('two').result;
  await session.finish();
  return foldLines(readFileSync(tape, 'utf8').split('\n'));
}

withCli('Two runs of one program', () => {
  it('are the same but for ids, times and folders, and part where an answer is another one', async () => {
    const [first, second, denied] = await Promise.all([recorded('allow'), recorded('allow'), recorded('deny')]);
    expect(first.rows.length).toBeGreaterThan(30);
    expect(firstDifference(first, second)).toBeUndefined();
    const difference = firstDifference(first, denied);
    expect(difference).toMatchObject({
      direction: 'out',
      parts: expect.arrayContaining([expect.objectContaining({ right: 'Not two.' })]),
    });
  });
});
