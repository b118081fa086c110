import { existsSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { bundle } from '../build.mjs';
import { complaintsAbout, lightened } from '../bundling.mjs';
import { copyOfWorkspace, type Folder } from './planted.ts';

const parser = `export const isFrame = (value: unknown): boolean => value instanceof Object && 'type' in value;`;
const errors = `export class SdkError extends Error {}\n`;
const facade = `
  import { container } from 'tsyringe';
  import { isFrame } from '@hexagent/parser';
  export { SdkError } from '@hexagent/ports';
  container.register('isFrame', { useValue: isFrame });
  export const check = (value: unknown): boolean => container.resolve<typeof isFrame>('isFrame')(value);
  export const dial = async (): Promise<unknown> => await import('@hexagent/mcp-client');`;
const client = `export const dial = async (): Promise<unknown> => await import('@modelcontextprotocol/sdk/client/index.js');`;

/** The workspace with the packages that the bundling table is about, each cut down to what it is about. */
async function workspaceWith(sources: { readonly facade: string; readonly client: string }): Promise<Folder> {
  const workspace = copyOfWorkspace();
  workspace.write('packages/ports/src/index.ts', errors);
  workspace.write('packages/adapters/parser/src/index.ts', parser);
  workspace.write('packages/adapters/mcp-client/src/index.ts', sources.client);
  workspace.write('packages/sdk/src/index.ts', sources.facade);
  workspace.write('packages/sdk/src/claude-agent-sdk.ts', 'export {};\n');
  workspace.write('packages/sdk/src/chat.ts', 'export {};\n');
  const client = 'packages/adapters/mcp-client';
  workspace.depend('packages/sdk', 'dependencies', '@hexagent/mcp-client', client);
  const mcp = '@modelcontextprotocol/sdk';
  workspace.depend('packages/sdk', 'dependencies', mcp, `${client}/node_modules/${mcp}`);
  return workspace;
}

/** The shortest agent: it answers the first request, and everything else with a result. */
const agent = `
  import { createInterface } from 'node:readline';
  const write = (frame) => process.stdout.write(JSON.stringify(frame) + '\\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const { type, request_id } = JSON.parse(line);
    if (type === 'control_request') write({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    else write({ type: 'result', subtype: 'success', is_error: false, result: 'Four.', session_id: 'one', uuid: 'two' });
  }`;
const asking = `
  const { query } = await import(process.argv[2]);
  const options = { pathToClaudeCodeExecutable: new URL('agent.mjs', import.meta.url).pathname, executable: 'node' };
  for await (const message of query({ prompt: 'Two and two?', options })) console.log(message.type);`;

const build = async (workspace: Folder, folder: string) => await bundle(path.join(workspace.dir, folder));

describe('The bundle of the facade', () => {
  it('#15 is one file that Node can require, with everything inside but what is loaded on demand', async () => {
    using workspace = await workspaceWith({ facade, client });
    await build(workspace, 'packages/sdk');
    const text = workspace.read('packages/sdk/dist/index.js');
    const imports = [...text.matchAll(/^import .*?["'](.*?)["'];$/gm)].map(([, name]) => name);
    expect(imports).toEqual([]);
    expect(workspace.read('packages/sdk/dist/chunks/mcp-client.js')).toContain('@modelcontextprotocol/sdk/client');
    const program = `Reflect.getMetadata = () => undefined; // tsyringe refuses to load without it
      const sdk = require('./packages/sdk/dist/index.js');
      console.log(sdk.check({ type: 'x' }), sdk.check(1), new sdk.SdkError('') instanceof Error)`;
    expect(workspace.run(process.execPath, '-e', program).output).toBe('true false true\n');
  });

  it('has errors that are those of the ports that a part of your own imports, and the other way round', async () => {
    using workspace = copyOfWorkspace();
    await build(workspace, 'packages/ports');
    await build(workspace, 'packages/sdk');
    const program = `const [sdk, ports] = [require('./packages/sdk/dist/index.js'), require('./packages/ports/dist/index.js')];
      const exit = { code: 3, signal: null, stderr: '', closed: false };
      const make = ({ SdkError, AgentExitedError, AbortError }) =>
        [new SdkError('FRAME_INVALID', 'x'), new AgentExitedError('x', { exit }), new AbortError()];
      const asked = ({ SdkError, AgentExitedError, AbortError }) => (error) =>
        [SdkError, AgentExitedError, AbortError].map((type) => Number(error instanceof type)).join('');
      console.log(make(ports).map(asked(sdk)).join(' '), make(sdk).map(asked(ports)).join(' '))`;
    expect(workspace.run(process.execPath, '-e', program).output).toBe('100 110 001 100 110 001\n');
  });

  it('leaves the global Reflect of the program as it was', async () => {
    using workspace = copyOfWorkspace();
    await build(workspace, 'packages/ports');
    await build(workspace, 'packages/sdk');
    const program = `const before = Reflect.ownKeys(Reflect).length;
      for (const door of ['index', 'claude-agent-sdk']) require('./packages/sdk/dist/' + door + '.js');
      console.log(Reflect.ownKeys(Reflect).length - before)`;
    expect(workspace.run(process.execPath, '-e', program).output).toBe('0\n');
  });

  it('loads what starts processes with the first of them', async () => {
    using workspace = copyOfWorkspace();
    await build(workspace, 'packages/ports');
    await build(workspace, 'packages/sdk');
    const program = `const isLoaded = () => process.moduleLoadList.includes('NativeModule child_process');
      const loaded = [isLoaded()];
      for (const door of ['index', 'claude-agent-sdk']) require('./packages/sdk/dist/' + door + '.js');
      loaded.push(isLoaded());
      const options = { pathToClaudeCodeExecutable: process.execPath, env: {} };
      const query = require('./packages/sdk/dist/claude-agent-sdk.js').query({ prompt: 'Hello', options });
      query.next().catch(() => {}).then(() => console.log(...loaded, isLoaded()));`;
    expect(workspace.run(process.execPath, '-e', program).output).toBe('false false true\n');
  });

  it('loads what a conversation needs while its agent starts, and bundled into one file too', async () => {
    using workspace = copyOfWorkspace();
    await build(workspace, 'packages/sdk');
    const bundler = await rolldown({
      input: path.join(workspace.dir, 'packages/sdk/dist/claude-agent-sdk.js'),
      platform: 'node',
      external: [/^@modelcontextprotocol/, /^zod/],
    });
    await bundler.write({ file: path.join(workspace.dir, 'one/bundled.mjs'), format: 'esm', codeSplitting: false });
    await bundler.close();
    workspace.write('agent.mjs', agent);
    workspace.write('ask.mjs', asking);
    for (const door of ['packages/sdk/dist/claude-agent-sdk.js', 'one/bundled.mjs'])
      expect(workspace.run(process.execPath, 'ask.mjs', `./${door}`).output).toBe('result\n');
  });

  it('loads the rules of permissions with the native door alone', async () => {
    using workspace = copyOfWorkspace();
    await build(workspace, 'packages/sdk');
    const named = (door: string): readonly string[] =>
      [...workspace.read(`packages/sdk/dist/${door}.js`).matchAll(/PermissionService = class/g)].map(String);
    const shared = [...workspace.read('packages/sdk/dist/claude-agent-sdk.js').matchAll(/from "\.\/(.*)\.js"/g)];
    expect(shared.flatMap(([, chunk = '']) => named(chunk))).toEqual([]);
    expect([named('claude-agent-sdk').length, named('index').length]).toEqual([0, 1]);
  });

  it('is shorter, and shows in a stack trace every name and the statement itself', async () => {
    const failing = `
      class Asker {
        readonly #asked: string[] = [];
        #refuse(question: string): never {
          this.#asked.push(question);
          throw new Error('Refused: ' + question);
        }
        ask(question: string): void {
          if (#asked in this) this.#refuse(question);
        }
      }
      function askTwice(asker: Asker, question: string): void { asker.ask(question); }
      const answered = (question: string): void => askTwice(new Asker(), question);
      export const answers = /* @__PURE__ */ new Map<string, string>();
      export { answered };`;
    using workspace = await workspaceWith({ facade: `${facade}\n${failing}`, client });
    await build(workspace, 'packages/sdk');
    const text = workspace.read('packages/sdk/dist/index.js');
    expect(text).not.toContain('question');
    expect(text).toContain('/* @__PURE__ */ new Map()');
    const program = `Reflect.getMetadata = () => undefined; // tsyringe refuses to load without it
      require('./packages/sdk/dist/index.js').answered('why');`;
    const { output } = workspace.run(process.execPath, '-e', program);
    expect([...output.matchAll(/^ +at (?:\w+\.)?(#?\w+) /gm)].map(([, name]) => name).slice(0, 4)).toEqual([
      '#refuse',
      'ask',
      'askTwice',
      'answered',
    ]);
    expect(output).toMatch(/^\s*throw new Error\("Refused: " \+ \w+\);$/m);
  });

  it('ships the licences of what it carries, also of what that carries', async () => {
    using workspace = await workspaceWith({ facade, client });
    await build(workspace, 'packages/sdk');
    const licences = workspace.read('packages/sdk/dist/THIRD-PARTY-LICENSES');
    for (const name of ['tsyringe', 'tslib']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    }
    expect(licences).toContain('Permission to use, copy, modify');
    await build(workspace, 'packages/ports');
    expect(existsSync(path.join(workspace.dir, 'packages/ports/dist/THIRD-PARTY-LICENSES'))).toBe(false);
  });

  it('is refused when the MCP SDK would load with it', async () => {
    const eager = `export { Client } from '@modelcontextprotocol/sdk/client/index.js';`;
    using workspace = await workspaceWith({
      facade: `${facade}\nexport { Client } from '@hexagent/mcp-client';`,
      client: eager,
    });
    await expect(build(workspace, 'packages/sdk')).rejects.toThrow('loads @modelcontextprotocol/sdk');
  });

  it('is refused when a part imports what the facade does not bring along', async () => {
    using workspace = await workspaceWith({ facade, client: `export * from 'execa';` });
    await expect(build(workspace, 'packages/sdk')).rejects.toThrow('imports execa');
  });

  it('leaves no chunk of an earlier bundle behind', async () => {
    using workspace = await workspaceWith({ facade, client });
    workspace.write('packages/sdk/dist/chunks/stale.js', '');
    await build(workspace, 'packages/sdk');
    expect(existsSync(path.join(workspace.dir, 'packages/sdk/dist/chunks/stale.js'))).toBe(false);
  });
});

describe('A package of several entries', () => {
  it('shares between them what they share, so that a class exists once', async () => {
    using workspace = copyOfWorkspace();
    workspace.write('packages/testing/src/shared.ts', 'export class Shared {}\n');
    for (const entry of ['index', 'contracts/index', 'loopback/index', 'cli/index']) {
      const up = entry.includes('/') ? '..' : '.';
      workspace.write(`packages/testing/src/${entry}.ts`, `export { Shared } from '${up}/shared.ts';\n`);
    }
    await build(workspace, 'packages/testing');
    const program = `console.log(require('./packages/testing/dist/index.js').Shared ===
      require('./packages/testing/dist/contracts/index.js').Shared)`;
    expect(workspace.run(process.execPath, '-e', program).output).toBe('true\n');
  });
});

describe('The complaints about a bundle', () => {
  const chunk = { fileName: 'index.js', isEntry: true, imports: [], dynamicImports: [], moduleIds: [] };

  it('follow static imports through chunks, and stop at dynamic ones', () => {
    const manifest = { name: '@hexagent/sdk', dependencies: { zod: '4' } };
    const shared = { ...chunk, fileName: 'chunks/shared.js', isEntry: false, imports: ['zod'] };
    const eager = [{ ...chunk, imports: ['chunks/shared.js'] }, shared];
    const onDemand = [{ ...chunk, dynamicImports: ['chunks/shared.js'] }, shared];
    expect(complaintsAbout(manifest, eager)).toEqual(['loads zod before anybody asked for it']);
    expect(complaintsAbout(manifest, onDemand)).toEqual([]);
  });

  it('leave alone what Node brings and what peers bring', () => {
    const manifest = { name: '@hexagent/x', peerDependencies: { zod: '4' } };
    expect(complaintsAbout(manifest, [{ ...chunk, imports: ['node:fs', 'zod/mini'] }])).toEqual([]);
  });
});

describe('A bundle that is lightened', () => {
  it('takes built-in modules without making Node read all of their exports', () => {
    const code = [
      'import Module from "node:module";',
      'import { constants as constants$1, join } from "node:path";',
      'import * as url from "node:url";',
      'import { SdkError } from "@hexagent/ports";',
    ].join('\n');
    expect(lightened(code).split('\n')).toEqual([
      'const Module = process.getBuiltinModule("node:module");',
      'const { constants: constants$1, join } = process.getBuiltinModule("node:path");',
      'const url = process.getBuiltinModule("node:url");',
      'import { SdkError } from "@hexagent/ports";',
    ]);
  });

  it('fetches a module that loads much when one of its functions is called', () => {
    expect(lightened('import { execFile, spawn as start } from "node:child_process";')).toBe(
      'const execFile = (...args) => process.getBuiltinModule("node:child_process").execFile(...args); ' +
        'const start = (...args) => process.getBuiltinModule("node:child_process").spawn(...args);',
    );
    expect(() => lightened('import * as processes from "node:child_process";')).toThrow('imported by name');
  });

  it('means the same in ASCII, and is refused where it would not', () => {
    const code = 'export const text = `…\u{1f600}·` + "\ufffd";';
    expect(lightened(code)).toBe('export const text = `\\u2026\\ud83d\\ude00\\u00b7` + "\\ufffd";');
    expect(() => lightened('String.raw`…`')).toThrow('raw text');
  });
});
