import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { external } from '@hexagent/mcp-client';
import type { McpServerStatus } from '@hexagent/ports';
import type { Session } from '@hexagent/sdk';
import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callAll, callOnce } from '../support/tool-calls.ts';
import { answer, everythingByHttp, openWith, published, type Listening, type Servers } from './servers-of-others.ts';

const statusOf = async (session: Session): Promise<readonly McpServerStatus[]> =>
  (await session.request('mcp_status')).mcpServers;

/** The agent connects to servers beside its start, and a turn that comes earlier is without those that it dials. */
async function connected(session: Session, count = 1): Promise<void> {
  const states = async (): Promise<unknown[]> => (await statusOf(session)).map(({ status }) => status);
  const all = Array.from({ length: count }, () => 'connected');
  await expect.poll(states, { timeout: 30_000, interval: 20 }).toEqual(all);
}

const sum = { a: 19, b: 23 };

withCli('Servers that others wrote', () => {
  let http: Listening;
  beforeAll(async () => void (http = await everythingByHttp()));
  afterAll(() => http[Symbol.asyncDispose]());

  it.each<[string, () => Servers[string]]>([
    ['started by external()', () => external({ name: 'everything', ...published('everything', 'stdio') })],
    ['reached by external() over HTTP', () => external({ name: 'everything', url: http.url })],
    ['started by the agent', () => published('everything', 'stdio')],
    ['reached by the agent over HTTP', () => ({ type: 'http', url: http.url })],
  ])('#58 serve every kind of tool, %s', async (_, server) => {
    await using place = await stage(
      callAll(
        toolUse('mcp__everything__echo', { message: 'café' }),
        toolUse('mcp__everything__get-sum', sum),
        toolUse('mcp__everything__get-tiny-image', {}),
        toolUse('mcp__everything__get-structured-content', { location: 'New York' }),
        toolUse('mcp__everything__get-resource-links', { count: 2 }),
        toolUse('mcp__everything__trigger-long-running-operation', { duration: 0.2, steps: 4 }),
        toolUse('mcp__everything__get-sum', { a: 'nineteen' }),
      ),
    );
    await using session = await openWith(place, { everything: server() });
    await connected(session);
    const text = await answer(session);
    expect(text).toContain('Echo: café');
    expect(text).toContain('The sum of 19 and 23 is 42.');
    expect(text).toContain('temperature');
    expect(text).toContain('demo://resource/');
    expect(text).toContain('Long running operation completed');
    expect(text).toMatch(/invalid/i);
  });

  it.each<[string, (folder: string) => Servers]>([
    [
      'external()',
      (folder) => ({
        files: external({ name: 'files', ...published('filesystem', folder) }),
        memory: external({ name: 'memory', ...published('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory') } }),
      }),
    ],
    [
      'the agent',
      (folder) => ({
        files: published('filesystem', folder),
        memory: { ...published('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory') } },
      }),
    ],
  ])('read and write files and memories, started by %s', async (_, servers) => {
    await using place = await stage((request) => {
      const note = join(place.home.cwd, 'shared', 'note.txt');
      const results = toolResults(request);
      if (results.length === 0) return toolUse('mcp__files__write_file', { path: note, content: 'the build is green' });
      if (results.length > 1) return results.map(({ text }) => text).join('; ');
      return [
        toolUse('mcp__files__read_text_file', { path: note }),
        toolUse('mcp__files__read_text_file', { path: '/etc/hostname' }),
        toolUse('mcp__memory__create_entities', {
          entities: [{ name: 'build', entityType: 'fact', observations: ['is green'] }],
        }),
      ];
    });
    const folder = join(place.home.cwd, 'shared');
    await mkdir(folder);
    await using session = await openWith(place, servers(folder));
    await connected(session, 2);
    const text = await answer(session);
    expect(text).toContain('the build is green');
    expect(text).toContain('Access denied - path outside allowed directories');
    expect(await readFile(join(folder, 'note.txt'), 'utf8')).toBe('the build is green');
    expect(await readFile(join(folder, 'memory'), 'utf8')).toContain('is green');
  });
});

withCli('A server that others wrote, dialled by this process', () => {
  it('is one for two sessions, which share what it remembers', async () => {
    await using place = await stage(callOnce('mcp__memory__read_graph', {}));
    const file = join(place.home.cwd, 'memory');
    await writeFile(file, '{"type":"entity","name":"build","entityType":"fact","observations":["is green"]}\n');
    const memory = external({ name: 'memory', ...published('memory'), env: { MEMORY_FILE_PATH: file } });
    await using one = await openWith(place, { memory });
    await using other = await openWith(place, { memory });
    for (const session of [one, other]) expect(await answer(session)).toContain('is green');
  });

  it('shows the agent only the tools that were chosen, under the names that they were given', async () => {
    const everything = external({
      name: 'everything',
      ...published('everything', 'stdio'),
      tools: { only: ['echo', 'get-sum'], rename: { 'get-sum': 'add' } },
    });
    await using place = await stage(
      callAll(toolUse('mcp__everything__add', sum), toolUse('mcp__everything__get-env', {})),
    );
    await using session = await openWith(place, { everything });
    await connected(session);
    expect(await statusOf(session)).toMatchObject([{ tools: [{ name: 'echo' }, { name: 'add' }] }]);
    const text = await answer(session);
    expect(text).toContain('The sum of 19 and 23 is 42.');
    expect(text).toContain('No such tool available: mcp__everything__get-env');
  });
});
