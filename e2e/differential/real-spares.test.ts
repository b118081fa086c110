import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { failureOf } from './failing-alike.ts';
import { runReal } from './real.ts';
import { sides, type Place, type Program } from './run.ts';
import { type ClaimOptions, claiming, noteClaim, parked } from './spare-claims.ts';

withCli('A spare agent of the real CLI', () => {
  const read = async (running: AsyncIterable<object>, place: Place): Promise<void> => {
    const messages: string[] = [];
    const failure = await failureOf(async () => {
      for await (const message of running) messages.push(JSON.stringify(message));
    });
    place.note('loop', failure);
    place.note('texts', messages.filter((text) => text.includes('tool_result')).join(''));
    place.note('results', messages.filter((text) => text.includes('"type":"result"')).length);
  };

  it.each(sides)('works in the folder that it is claimed for: %s', async (side) => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: { ...parked(place), allowedTools: ['Bash'] } });
      const running = spare.claim({ prompt: 'go', options: { cwd: place.cwd, title: 'T', appendSystemPrompt: 'A' } });
      await noteClaim(spare, place);
      await read(running, place);
      await spare.exited;
      place.note('cwd', place.cwd);
    };
    const { notes } = await runReal(side, program, [toolUse('Bash', { command: 'pwd' }), 'done']);
    expect(notes).toMatchObject({ claimed: { cwd: '/place', sdkMcpSettled: true }, loop: undefined, results: 1 });
    expect(notes['texts']).toContain(String(notes['cwd']));
  });

  it.each<[string, Partial<ClaimOptions>, RegExp]>([
    ['a folder that is missing', { cwd: '/no/such/folder' }, /^cwd_not_found/],
    ['a variable that it reads at its start', { env: { FOO: 'x' } }, /^env_key_not_claimable/],
    ['a mode that it was not allowed', { permissionMode: 'bypassPermissions' }, /^permission_mode_not_claimable/],
    ['settings that are invalid', { settings: { enabledPlugins: 5 } as never }, /^settings_not_applied/],
    [
      'settings that are invalid, behind the claim',
      { settings: { permissions: { deny: 5 } } as never },
      /^settings_not_applied/,
    ],
  ])('refuses %s, and leaves', async (_, options, reason) => {
    for (const side of sides) {
      const { notes, hangs } = await runReal(side, claiming(options), ['done']);
      expect(notes['claimed'], side).toMatchObject({ message: expect.stringMatching(reason) });
      expect(hangs).toBe(false);
    }
  });

  it.each(sides)('refuses a folder whose settings a claim cannot honour: %s', async (side) => {
    const program: Program = async (sdk, place) => {
      await mkdir(join(place.cwd, '.claude'));
      await writeFile(join(place.cwd, '.claude/settings.json'), JSON.stringify({ env: { A: 'b' } }));
      await claiming()(sdk, place);
    };
    const { notes } = await runReal(side, program, ['done']);
    expect(notes).toMatchObject({
      claimed: { message: expect.stringMatching(/^project_settings_not_claimable/) },
      loop: { message: expect.stringMatching(/^Claude Code returned an error result: not_claimed/) },
    });
  });

  it.each(sides)('holds the first call to rules that came with the claim: %s', async (side) => {
    const program: Program = async ({ prewarm }, place) => {
      const spare = await prewarm({ options: { ...parked(place), allowedTools: ['Bash'] } });
      const settings = { permissions: { deny: ['Bash(touch *)'] } };
      await read(spare.claim({ prompt: 'go', options: { cwd: place.cwd, settings } }), place);
      await noteClaim(spare, place);
    };
    const { notes, files } = await runReal(side, program, [toolUse('Bash', { command: 'touch touched' }), 'done']);
    expect(notes).toMatchObject({ results: 1, claimed: { cwd: '/place' } });
    expect(files).not.toContain('touched');
  });

  it.each(sides)('calls tools of this process, and asks its callbacks: %s', async (side) => {
    const program: Program = async ({ prewarm, createSdkMcpServer, tool }, place) => {
      const served = tool('t', 'd', {}, async () => ({ content: [{ type: 'text', text: 'was called' }] }));
      const mcpServers = { mine: createSdkMcpServer({ name: 'mine', tools: [served] }) };
      const asked: string[] = [];
      const canUseTool: Options['canUseTool'] = async (name, input) => {
        asked.push(name);
        return { behavior: 'allow', updatedInput: input };
      };
      const spare = await prewarm({ options: { ...parked(place), mcpServers, canUseTool } });
      await read(spare.claim({ prompt: 'go', options: { cwd: place.cwd } }), place);
      place.note('asked', asked);
    };
    const { notes } = await runReal(side, program, [toolUse('mcp__mine__t', {}), 'done']);
    expect(notes).toMatchObject({ asked: ['mcp__mine__t'], results: 1 });
    expect(notes['texts']).toContain('was called');
  });

  it('leaves no folder behind, however it ends', async () => {
    const program: Program = async ({ prewarm }, place) => {
      const spares = join(
        place.options.env?.['CLAUDE_CONFIG_DIR'] ?? join(place.options.env?.['HOME'] ?? '', '.claude'),
        'spares',
      );
      const closed = await prewarm({ options: parked(place) });
      const killed = await prewarm({ options: parked(place) });
      place.note('parked', readdirSync(spares).length);
      closed.close();
      await closed.exited;
      killed.claim({ prompt: 'go', options: { cwd: '/no/such/folder' } });
      await killed.exited;
      await failureOf(async () => await killed.claimed);
      place.note('left', readdirSync(spares));
    };
    const { notes } = await runReal('ours', program, ['done']);
    expect(notes).toEqual({ parked: 2, left: [] });
  });
});
