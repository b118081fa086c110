import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostServer } from '../../packages/adapters/mcp-sdk-server/src/index.ts';
import { errorText } from '../../packages/checks/src/index.ts';
import { findCli, readHostEnvironment } from '../../packages/processes/src/index.ts';
import { createChat } from '../../packages/server/chat/src/index.ts';
import { FileIndex, query } from '../../packages/sdk/src/claude-agent-sdk.ts';
import {
  allow,
  answerQuestions,
  createSdk,
  createHooks,
  createSdkMcpServer,
  hooks,
  tool,
  type HookTable,
  type McpServer,
  type SessionPermissions,
  type Ask,
} from '../../packages/sdk/src/index.ts';
import { linkedTransport, reply, scriptedAgent } from '../../packages/testing/src/index.ts';
import { startLoopback } from '../../packages/testing/src/loopback/index.ts';
import { root } from '../workspace.mjs';

/** Messages that a page quotes where it describes failures: what is in code and begins and continues like a sentence. */
function quotesOf(file: string): readonly string[] {
  const [, part = ''] =
    /^## When it goes wrong\b[^\n]*\n(.*)/ms.exec(readFileSync(path.join(root, file), 'utf8')) ?? [];
  const cells = [...part.matchAll(/^\| (.*?) \| /gm)].map(([, cell = '']) => cell);
  const spans = cells.flatMap((cell) => [...cell.matchAll(/(`+)(.+?)(?<!`)\1(?!`)/g)].map(([, , span = '']) => span));
  return spans.map((span) => span.trim().replaceAll('\\`', '`')).filter((span) => /^[A-Z…].* /.test(span));
}

/** Where `…` stands in a quote, the message may continue in any way. */
const patternOf = (quote: string): RegExp =>
  new RegExp(quote.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s*…\s*/g, '.*'), 's');

const textOf = (error: unknown): string =>
  error instanceof TypeError ? `TypeError: ${error.message}` : errorText(error);

async function failureOf(action: () => unknown): Promise<string> {
  try {
    await action();
    return 'Nothing failed.';
  } catch (error) {
    return textOf(error);
  }
}

const opening = (options: object) => (): Promise<string> =>
  failureOf(() => {
    const { transport } = linkedTransport(scriptedAgent({ turns: [] }));
    return createSdk({ transport }).openSession(options);
  });

/** What the program wrote to its agent and was warned of, in a turn with one tool call. */
const asking = (options: object) => async (): Promise<string> => {
  const call = reply.tool('Bash', { command: 'ls' }, { asks: true });
  const { transport, agents } = linkedTransport(scriptedAgent({ turns: [[call, 'Done.']] }));
  const warnings: string[] = [];
  const { ask } = createSdk({ transport, onWarning: ({ message }) => warnings.push(message) });
  await ask('Go', options).result;
  return [...agents.flatMap(({ lines }) => lines), ...warnings].join('\n');
};

async function connectTwice(): Promise<string> {
  const server = hostServer({
    type: 'sdk',
    name: 'mine',
    instance: { connect: async () => {}, close: async () => {} },
  });
  const client = { send: async () => {} };
  await server.open(client);
  return await failureOf(() => server.open(client));
}

async function exhaust(): Promise<string> {
  const loopback = await startLoopback([]);
  try {
    const question = {
      model: 'x',
      max_tokens: 100,
      tools: [{ name: 'Bash' }],
      messages: [{ role: 'user', content: 'Go' }],
    };
    const body = JSON.stringify(question);
    return await (await fetch(`${loopback.url}/v1/messages`, { method: 'POST', body })).text();
  } finally {
    await loopback.close();
  }
}

function searchInVain(): string {
  const host = {
    ...readHostEnvironment({ env: {} }),
    roots: [],
    homes: [],
    env: () => undefined,
    inspect: () => 'other' as const,
  };
  const search = findCli(host);
  return 'message' in search ? search.message : 'It was found.';
}

const changing = hooks.modify(() => ({ command: 'pwd' }));
const wrongHook: HookTable = {
  // @ts-expect-error -- `hookEventName` is missing
  PreToolUse: [{ hooks: [() => ({ hookSpecificOutput: { permissionDecision: 'deny' } })] }],
};

/** What taking back the rule that denies Bash is answered. */
const removing = (permissions: SessionPermissions | undefined) => async (): Promise<string> => {
  const { transport } = linkedTransport(scriptedAgent());
  const session = await createSdk({ transport }).openSession(permissions && { permissions });
  try {
    return await failureOf(() => session.permissions.remove({ deny: ['Bash'] }));
  } finally {
    await session.close();
  }
};

/** A server whose list of tools is this one. */
const serverOf = (tools: readonly unknown[]): McpServer => ({
  name: 'x',
  open: () => ({
    handle: async ({ id, method }) => {
      const serverInfo = { name: 'x', version: '1' };
      const introduction = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      return { jsonrpc: '2.0', id, result: method === 'tools/list' ? { tools } : introduction };
    },
    close: async () => {},
  }),
});

/** What a page reads whose agent exits in the middle of a turn. */
async function readCutTurn(): Promise<string> {
  const { transport } = linkedTransport(scriptedAgent({ turns: [['So far', reply.exit({ code: 1 })]] }));
  const chat = createChat({ sdk: createSdk({ transport }), folder: false, onError: () => {} });
  try {
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Go' }] };
    const headers = { 'content-type': 'application/json', host: 'localhost' };
    const body = JSON.stringify({ id: 'one', messages: [message] });
    const request = new Request('http://localhost/api/chat', { method: 'POST', headers, body });
    return await (await chat.handle(request)).text();
  } finally {
    await chat.close();
  }
}

/** What makes each message appear. */
const causes: Readonly<Record<string, () => Promise<string> | string>> = {
  'TypeError: `permissions.deny[0]` is …': opening({ permissions: { deny: ['Bash('] } }),
  'TypeError: `permissions.deny[0]` would cover nothing …': opening({ permissions: { deny: ['Write(src/**)'] } }),
  'TypeError: `permissions.deny[0]` was given at the start …': removing({ deny: ['Bash'] }),
  'TypeError: This session was opened without a policy …': removing(undefined),
  'TypeError: `permissions.deny[0]` names "bash" …': opening({ permissions: { deny: ['bash'] } }),
  'TypeError: permissions.cliMode "bypassPermissions" …': opening({ permissions: { cliMode: 'bypassPermissions' } }),
  'TypeError: "command" is no option of allow()': () => failureOf(() => allow({ command: 'ls' } as never)),
  'TypeError: "Colour" is not a question of this call.': () =>
    failureOf(() =>
      answerQuestions({ input: { questions: [{ question: 'Which colour?', header: 'Colour' }] } }, { Colour: 'red' }),
    ),
  'TypeError: `input.command` is a promise …': () =>
    failureOf(() => allow({ input: { command: Promise.resolve('ls') } })),
  '… is no member of an answer, so the original call would run': asking({
    onAsk: () => ({ behavior: 'allow', toolName: 'Bash' }),
  }),
  'The input of … was changed, and only the agent can tell whether the rule … covers the files': asking({
    permissions: { deny: ['Read(/secret/**)'] },
    onAsk: () => allow({ input: { command: 'cat secret/k' } }),
  }),
  'Your onAsk changed the input of Bash in place …': asking({
    onAsk: ({ input = {} }: Ask) => (Object.assign(input, { command: 'pwd' }), allow()),
  }),
  'TypeError: `hooks.PreToolUse[0]…': opening({ hooks: { PreToolUse: [{ hooks: 4 }] } }),
  'A hook for PreToolUse answered with something that the agent cannot use': asking({ hooks: wrongHook }),
  'Two hooks changed the input of this call': asking({
    hooks: createHooks().on('PreToolUse', changing).on('PreToolUse', changing),
  }),
  '… is not offered: …': () => failureOf(() => FileIndex()),
  'The Claude Code CLI was not found.': searchInVain,
  'The loopback script is exhausted: …': exhaust,
  'TypeError: `tools[0]…': () =>
    failureOf(() =>
      createSdkMcpServer({
        name: 'mine',
        tools: [{ ...tool('look', 'Looks', {}, () => ({ content: [] })), description: 4 as never }],
      }),
    ),
  'TypeError: `mcpServers.x` is a server for openSession() and ask()': () =>
    failureOf(() => query({ prompt: 'Go', options: { mcpServers: { x: { open: () => ({}) } as never } } })),
  '… serves one session at a time': connectTwice,
  'The agent has exited before it answered (CODE)': async () => (await readCutTurn()).replace('AGENT_EXITED', 'CODE'),
  'Its answer to tools/list has …': asking({ tools: [{ x: serverOf([{ name: 4 }]) }] }),
};

const pages = globSync('docs/*.md', { cwd: root });
const quotes = pages.flatMap((page) => quotesOf(page).map((quote) => ({ page, quote })));

describe('A message that a page quotes', () => {
  it.each(quotes)('appears as quoted: $quote ($page)', async ({ quote }) => {
    const cause = causes[quote];
    expect(cause, 'What makes it appear belongs into the table of this test.').toBeDefined();
    expect(await cause?.()).toMatch(patternOf(quote));
  });

  it('is quoted by some page, if this test lists it', () => {
    expect(quotes.length).toBeGreaterThan(8);
    expect(Object.keys(causes).filter((known) => !quotes.some(({ quote }) => quote === known))).toEqual([]);
  });
});
