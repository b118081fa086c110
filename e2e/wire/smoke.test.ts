import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ask } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

withCli('A CLI run through a wrapper command', () => {
  it('#48 sees every option', async () => {
    await using place = await stage(['wrapped']);
    const wrapper = join(place.home.root, 'wrapper.sh');
    const seen = join(place.home.root, 'seen');
    await writeFile(wrapper, `#!/bin/sh\nprintf '%s\\n' "$PWD" "$ONLY" "$@" > '${seen}'\nexec '${cli}' "$@"\n`, {
      mode: 0o755,
    });
    const outcome = await ask('hi', {
      ...place.options,
      executable: wrapper,
      env: { policy: 'exact', set: { ...place.env, ONLY: 'this' } },
      model: 'claude-sonnet-4-5',
      systemPrompt: 'Wrapped prompt.',
      budget: { turns: 7 },
    }).result;
    expect(outcome).toMatchObject({ kind: 'completed', text: 'wrapped' });
    expect((await readFile(seen, 'utf8')).split('\n')).toEqual(
      expect.arrayContaining([place.home.cwd, 'this', '--model=claude-sonnet-4-5', '--max-turns=7']),
    );
    expect(place.loopback.requests[0]?.body).toMatchObject({ model: 'claude-sonnet-4-5' });
    expect(JSON.stringify(place.loopback.requests[0]?.body.system)).toContain('Wrapped prompt.');
  });
});
