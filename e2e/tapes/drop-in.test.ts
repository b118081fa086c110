import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { testFolder } from './place.ts';
import { runNode } from './run-node.ts';
import { linkPackages } from './project.ts';

/** A program for the official package, which answers one request of its agent, and prints what came. */
const program = (behavior: string): string => `
  import { query } from '@hexagent/sdk/claude-agent-sdk';
  const canUseTool = async (name, input) =>
    ({ behavior: '${behavior}', updatedInput: input, message: 'Not here.' });
  for await (const message of query({ prompt: 'Make a file.', options: { canUseTool, settingSources: [] } }))
    console.log(message.type, message.subtype ?? '', message.result ?? '');`;

withCli('A program of the drop-in', () => {
  it('is recorded and replayed by variables alone, and fails when it does something else', async () => {
    const folder = testFolder();
    linkPackages(folder);
    const tape = path.join(folder, 'a.tape');
    writeFileSync(path.join(folder, 'agent.mjs'), program('deny'));
    await using place = await stage([toolUse('Bash', { command: 'echo made > file' }), 'I may not.']);
    const recorded = await runNode(folder, ['agent.mjs'], {
      ...place.env,
      CLAUDE_CODE_PATH: cli,
      HEXAGENT_RECORD: tape,
    });
    expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('result success I may not.') });
    expect(existsSync(path.join(folder, 'file'))).toBe(false);

    const replayed = await runNode(folder, ['agent.mjs'], { CLAUDE_CODE_PATH: '/not/there', HEXAGENT_REPLAY: tape });
    expect(replayed).toEqual(recorded);

    writeFileSync(path.join(folder, 'agent.mjs'), program('allow'));
    const departed = await runNode(folder, ['agent.mjs'], { CLAUDE_CODE_PATH: '/not/there', HEXAGENT_REPLAY: tape });
    expect(departed.code).toBe(1);
    expect(departed.stderr).toContain('response.response.behavior\n    expected "deny"\n    seen     "allow"');
  });
});
