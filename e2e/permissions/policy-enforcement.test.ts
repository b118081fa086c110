import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allow, createSdkMcpServer, deny, openSession, tool, type SessionOptions } from '@hexagent/sdk';
import { toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { expectWarnings } from '../support/warnings.ts';

type Calls = readonly ReturnType<typeof toolUse>[];

const modes = ['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'] as const;
const helper = 'I am the helper.';
const isHelper = ({ body }: ModelRequest): boolean => JSON.stringify(body.messages[0]).includes(helper);
const bash = (command: string): Calls[number] => toolUse('Bash', { command });

/** The model makes the same calls in the main thread and in a subagent, and in every turn other ones. */
class Model {
  /** Called with who asks; the calls come from the turn. */
  calls: (who: string) => Calls = () => [];
  beforeHelper: () => Promise<void> = async () => {};
  readonly texts: string[] = [];
  #turn = 0;
  readonly #done = new Set<string>();

  readonly answer = async (request: ModelRequest): Promise<TurnLike> => {
    const who = isHelper(request) ? 'helper' : 'main';
    const key = `${who} ${this.#turn}`;
    if (!this.#done.has(key)) {
      this.#done.add(key);
      if (who === 'helper') await this.beforeHelper();
      return [...this.calls(who), ...(who === 'main' ? [this.#startHelper()] : [])];
    }
    this.texts.push(...toolResults(request).map(({ text }) => text));
    return 'Done.';
  };

  nextTurn(calls: (who: string) => Calls): void {
    this.#turn += 1;
    this.calls = calls;
  }

  #startHelper(): Calls[number] {
    const input = { description: 'help', prompt: `${helper} ${this.#turn}`, subagent_type: 'general-purpose' };
    return toolUse('Agent', { ...input, run_in_background: false });
  }
}

const text = (words: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: words }],
});

/** A server that records which of its tools ran. */
function server(ran: string[]): ReturnType<typeof createSdkMcpServer> {
  const recording = (name: string) => tool(name, name, {}, async () => (ran.push(name), text(`${name} ran`)));
  return createSdkMcpServer({ name: 'calc', tools: [recording('add'), recording('sub'), recording('free')] });
}

/** What contradicts the policy: rules of the CLI, and a hook of the program. */
const allowed = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } } as const;
const allowedTools = 'Read,Write,Edit,Bash,Agent,mcp__calc__add,mcp__calc__sub,mcp__calc__free';

withCli('A policy', () => {
  expectWarnings(); // an approver under dontAsk
  it.each(modes)(
    'holds for every call in the CLI mode %s, whoever makes it and whenever the rule came',
    async (cliMode) => {
      const model = new Model();
      const ran: string[] = [];
      const asked: string[] = [];
      await using place = await stage(model.answer, { IS_SANDBOX: '1' });
      const { cwd } = place.home;
      const options: SessionOptions = {
        ...place.options,
        tools: [{ calc: server(ran) }],
        extraArgs: { allowedTools },
        hooks: { PreToolUse: [{ hooks: [() => allowed] }] },
        permissions: {
          cliMode,
          allowBypass: true,
          deny: ['Read', 'Bash(rm *)', 'mcp__calc__add'],
          ask: ['Bash(git push *)'],
        },
        onAsk: (ask) => {
          if (ask.kind !== 'call') return null;
          const { tool, request } = ask;
          if (tool === 'mcp__calc__free') return allow(); // in plan mode the CLI asks about it
          const what = ask.tool === 'Bash' ? ask.input.command : tool;
          asked.push(`${request.agent_id === undefined ? 'main' : 'helper'}: ${what}`);
          return deny('The approver says no.');
        },
      };
      // In this mode the CLI denies what it would ask about.
      const asks = (calls: readonly string[]): readonly string[] => (cliMode === 'dontAsk' ? [] : calls);
      for (const name of ['keep', 'victim-main', 'victim-helper']) writeFileSync(join(cwd, name), 'Not to be read.');
      await using session = await openSession(options);

      model.nextTurn((who) => [
        toolUse('Read', { file_path: join(cwd, 'keep') }),
        bash(`touch ran-${who} && rm -f victim-${who}`),
        bash(`touch asked-${who} && git push origin main`),
        toolUse('mcp__calc__add', {}),
        toolUse('mcp__calc__free', {}),
      ]);
      expect(await session.send('Rules of the start.').result).toMatchObject({ kind: 'completed' });
      const untouched = ['keep', 'victim-helper', 'victim-main'];
      expect(readdirSync(cwd).toSorted()).toEqual(untouched);
      expect(ran).toEqual(['free', 'free']);
      expect(asked.splice(0).toSorted()).toEqual(
        asks(['helper: touch asked-helper && git push origin main', 'main: touch asked-main && git push origin main']),
      );

      await session.permissions.add({ deny: ['Write', 'Bash(mv *)', 'mcp__calc__sub'], ask: ['Bash(git pull *)'] });
      model.nextTurn((who) => [
        toolUse('Write', { file_path: join(cwd, `written-${who}`), content: 'x' }),
        bash(`touch ran-${who}; mv victim-${who} moved`),
        bash(`touch asked-${who} && git pull`),
        toolUse('mcp__calc__sub', {}),
      ]);
      expect(await session.send('Rules added at run time.').result).toMatchObject({ kind: 'completed' });
      expect(readdirSync(cwd).toSorted()).toEqual(untouched);
      expect(ran).toEqual(['free', 'free']);
      expect(asked.splice(0).toSorted()).toEqual(
        asks(['helper: touch asked-helper && git pull', 'main: touch asked-main && git pull']),
      );

      model.beforeHelper = () => session.permissions.setMode('deny');
      model.nextTurn((who) =>
        who === 'main' ? [] : [bash('touch by-helper'), bash('echo hi'), toolUse('mcp__calc__free', {})],
      );
      expect(await session.send('The mode deny, while a subagent works.').result).toMatchObject({ kind: 'completed' });
      model.nextTurn(() => [bash('touch by-main'), bash('echo hi'), toolUse('mcp__calc__free', {})]);
      expect(await session.send('The mode deny.').result).toMatchObject({ kind: 'completed' });
      expect(readdirSync(cwd).toSorted()).toEqual(untouched);
      expect(model.texts.filter((received) => received === 'hi')).toEqual([]);
      expect([asked, ran]).toEqual([[], ['free', 'free']]);
      expect(existsSync(join(cwd, 'keep'))).toBe(true);
      expect(model.texts.join('\n')).not.toContain('Not to be read.');
    },
  );
});
