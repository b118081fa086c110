import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { lastUserText, toolResults, toolUse, type Script } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { withCli } from '../support/cli.ts';
import { runReal, type RealRecord } from './real.ts';
import { sides, type Program, type Sdk } from './sdks.ts';

const userMessage = (content: string, uuid?: SDKUserMessage['uuid']): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
  ...(uuid && { uuid }),
});
const ids = [1, 2].map((number) => `11111111-2222-4333-8444-55555555555${number}` as const);
const results = ({ requests }: RealRecord): readonly string[] =>
  requests.flatMap((request) => toolResults(request)).map(({ text }) => text);

/** The same program with both packages, at the same time: much of it is waiting for the CLI. */
const both = (program: Program, script: Script): Promise<readonly RealRecord[]> =>
  Promise.all(sides.map((side) => runReal(side, program, script)));

withCli('enableFileCheckpointing', () => {
  it('lets `rewindFiles()` restore what a turn has changed, with both packages', async () => {
    const program: Program = async ({ query }, { options, cwd, note }) => {
      writeFileSync(join(cwd, 'file'), 'before');
      const content = (): string => readFileSync(join(cwd, 'file'), 'utf8');
      const rewound = Promise.withResolvers<void>();
      async function* prompt() {
        yield userMessage('go', ids[0]);
        await rewound.promise;
      }
      const changes: Options = { enableFileCheckpointing: true, permissionMode: 'acceptEdits' };
      const running = query({ prompt: prompt(), options: { ...options, ...changes } });
      for await (const message of running) {
        if (message.type !== 'result') continue;
        note('changed', content());
        note('dry', (await running.rewindFiles(ids[0]!, { dryRun: true })).filesChanged?.length);
        note('kept', content());
        note('can', (await running.rewindFiles(ids[0]!)).canRewind);
        note('restored', content());
        rewound.resolve();
      }
    };
    const script = [
      toolUse('Read', { file_path: 'file' }),
      toolUse('Write', { file_path: 'file', content: 'after' }),
      'done',
    ];
    for (const { notes, thrown } of await both(program, script))
      expect([thrown, notes]).toEqual([
        undefined,
        { changed: 'after', dry: 1, kept: 'after', can: true, restored: 'before' },
      ]);
  });
});

withCli('systemPrompt.snapshot', () => {
  it.each([
    [{ snapshot: true }, ['first', 'first']],
    [{ snapshot: false }, ['first', 'second']],
    [{}, ['first', 'first']],
  ])('decides which prompt a resumed session has, with both packages: %j', async (snapshot, expected) => {
    const program: Program = async ({ query }, { options }) => {
      const withPrompt = (prompt: string): Options => ({
        ...options,
        systemPrompt: { type: 'custom', prompt, ...snapshot },
      });
      let resume = '';
      for await (const message of query({ prompt: 'go', options: withPrompt('The first prompt.') }))
        resume = message.session_id ?? resume;
      return query({ prompt: 'go', options: { ...withPrompt('The second prompt.'), resume } });
    };
    for (const { requests } of await both(program, ['one', 'two'])) {
      const prompts = requests.map(({ body }) => /The (?<name>first|second) prompt/.exec(JSON.stringify(body.system)));
      expect(prompts.map((match) => match?.groups?.['name'])).toEqual(expected);
    }
  });
});

withCli('resumeDropsTurn', () => {
  it('lets a resumed session forget that turn, and no other, with both packages', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      async function* prompt() {
        yield userMessage('one', ids[0]);
        yield { ...userMessage('two', ids[1]), priority: 'later' as const };
      }
      const answers: string[] = [];
      let resume = '';
      for await (const message of query({ prompt: prompt(), options }))
        if (message.type === 'assistant') [resume] = [message.session_id, answers.push(message.uuid)];
      const resumed = async (resumeDropsTurn: string): Promise<string> => {
        const change: Options = { resume, forkSession: true, resumeSessionAt: answers[0]!, resumeDropsTurn };
        try {
          for await (const message of query({ prompt: 'three', options: { ...options, ...change } }))
            if (message.type === 'result' && message.subtype === 'success') return message.result;
          return 'no result';
        } catch (error) {
          return String(error).includes('Resume rejected') ? 'rejected' : String(error);
        }
      };
      note('second', await resumed(ids[1]!));
      note('first', await resumed(ids[0]!));
    };
    const script: Script = ({ body }) =>
      ['one', 'two', 'three'].filter((word) => JSON.stringify(body.messages).includes(`"${word}"`)).join(' ');
    for (const { notes, thrown } of await both(program, script))
      expect([thrown, notes]).toEqual([undefined, { second: 'one three', first: 'rejected' }]);
  });
});

withCli('promptSuggestions', () => {
  it('yields what might be asked next, from the second answer on, with both packages', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      const suggested = Promise.withResolvers<void>();
      async function* prompt() {
        yield userMessage('one');
        yield userMessage('two');
        await suggested.promise;
      }
      for await (const message of query({ prompt: prompt(), options: { ...options, promptSuggestions: true } }))
        if (message.type === 'prompt_suggestion') {
          note('suggestion', message.suggestion);
          suggested.resolve();
        }
    };
    for (const { notes, thrown } of await both(program, (request) => `heard ${lastUserText(request)}`))
      expect([thrown, notes]).toEqual([undefined, { suggestion: 'go on' }]);
  });
});

withCli('A tool of a server in this process', () => {
  const withServer =
    (change: Options): Program =>
    ({ query, tool, createSdkMcpServer }: Sdk, { options }) => {
      const answering = (answer: (input: Record<string, unknown>) => string) => (input: Record<string, unknown>) =>
        Promise.resolve({ content: [{ type: 'text' as const, text: answer(input) }] });
      const run = tool(
        'run',
        'Runs',
        { command: z.string() },
        answering(({ command }) => `ran ${String(command)}`),
      );
      const shape = { tool_name: z.string(), input: z.record(z.string(), z.unknown()) };
      const allow = ({ input }: Record<string, unknown>): string =>
        JSON.stringify({ behavior: 'allow', updatedInput: input });
      const decide = tool('decide', 'Decides', shape, answering(allow));
      const mcpServers = { own: createSdkMcpServer({ name: 'own', tools: [run, decide] }) };
      return query({ prompt: 'go', options: { ...options, mcpServers, ...change } });
    };
  const script = [toolUse('Bash', { command: 'touch made' }), 'done'];

  it('takes the calls of a built-in one by `toolAliases`, with both packages', async () => {
    const program = withServer({ toolAliases: { Bash: 'mcp__own__run' }, allowedTools: ['mcp__own__run'] });
    for (const record of await both(program, script))
      expect([record.files, results(record)]).toEqual([[], ['ran touch made']]);
  });

  it('decides about permissions by `permissionPromptToolName`, with both packages', async () => {
    for (const { files } of await both(withServer({ permissionPromptToolName: 'mcp__own__decide' }), script))
      expect(files).toEqual(['made']);
    for (const { files } of await both(withServer({}), script)) expect(files).toEqual([]);
  });
});

withCli('debug', () => {
  it.each([true, false])(
    'has the CLI write a log into its own folder, or not, with both packages: %s',
    async (debug) => {
      const program: Program = async ({ query }, { options, note }) => {
        for await (const _ of query({ prompt: 'go', options: { ...options, debug } }));
        const folder = options.env?.['CLAUDE_CONFIG_DIR'] ?? join(options.env?.['HOME'] ?? '', '.claude');
        note('written', readdirSync(folder).includes('debug'));
      };
      for (const { notes, thrown } of await both(program, ['done']))
        expect([thrown, notes]).toEqual([undefined, { written: debug }]);
    },
  );
});

withCli('sandbox', () => {
  const program =
    (change: Options): Program =>
    ({ query }, { options, cwd }) => {
      // No program that makes a sandbox is found there.
      const sandboxed = { ...change.sandbox, bwrapPath: join(cwd, 'none'), socatPath: join(cwd, 'none') };
      const env = { ...options.env, PATH: cwd };
      return query({ prompt: 'go', options: { ...options, env, ...change, sandbox: sandboxed } });
    };

  it.runIf(process.platform === 'linux')(
    'that cannot be had ends the query before the model is asked, with both packages',
    async () => {
      for (const { thrown, requests } of await both(program({ sandbox: { enabled: true } }), ['done'])) {
        expect(thrown?.message).toMatch(/sandbox required but unavailable/i);
        expect(requests).toEqual([]);
      }
      const optional = program({ sandbox: { enabled: true, failIfUnavailable: false } });
      for (const { thrown, requests } of await both(optional, ['done']))
        expect([thrown, requests.length]).toEqual([undefined, 1]);
    },
  );
});
