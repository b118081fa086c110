import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../build.mjs';
import { complaintsAbout, nodeCheck } from '../bundling.mjs';
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
  workspace.write('packages/sdk/src/hexagent.ts', 'export {};\n');
  const client = 'packages/adapters/mcp-client';
  workspace.depend('packages/sdk', 'dependencies', '@hexagent/mcp-client', client);
  const mcp = '@modelcontextprotocol/sdk';
  workspace.depend('packages/sdk', 'dependencies', mcp, `${client}/node_modules/${mcp}`);
  return workspace;
}

const build = async (workspace: Folder, folder: string) => await bundle(path.join(workspace.dir, folder));

describe('The bundle of a facade', () => {
  let workspace: Folder;
  beforeAll(async () => {
    workspace = await workspaceWith({ facade, client });
    workspace.write('packages/sdk/dist/chunks/stale.js', '');
    await build(workspace, 'packages/sdk');
    return () => workspace[Symbol.dispose]();
  });

  it('#15 is one file that Node can require, with everything inside but what is loaded on demand', () => {
    const imports = [...workspace.read('packages/sdk/dist/index.js').matchAll(/^import .*?["'](.*?)["'];$/gm)];
    expect(imports).toEqual([]);
    expect(workspace.read('packages/sdk/dist/chunks/mcp-client.js')).toContain('@modelcontextprotocol/sdk/client');
    const program = `Reflect.getMetadata = () => undefined; // tsyringe refuses to load without it
      const sdk = require('./packages/sdk/dist/index.js');
      console.log(sdk.check({ type: 'x' }), sdk.check(1), new sdk.SdkError('') instanceof Error)`;
    expect(workspace.run(process.execPath, '-e', program).output).toBe('true false true\n');
  });

  it('ships the licences of what it carries, also of what that carries', () => {
    const licences = workspace.read('packages/sdk/dist/THIRD-PARTY-LICENSES');
    for (const name of ['tsyringe', 'tslib'])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    expect(licences).toContain('Permission to use, copy, modify');
  });

  it('leaves no chunk of an earlier bundle behind', () => {
    expect(existsSync(path.join(workspace.dir, 'packages/sdk/dist/chunks/stale.js'))).toBe(false);
  });

  it('is refused when the MCP SDK would load with it', async () => {
    const eager = `export { Client } from '@modelcontextprotocol/sdk/client/index.js';`;
    using planted = await workspaceWith({
      facade: `${facade}\nexport { Client } from '@hexagent/mcp-client';`,
      client: eager,
    });
    await expect(build(planted, 'packages/sdk')).rejects.toThrow('loads @modelcontextprotocol/sdk');
  });

  it('is refused when a part imports what the facade does not bring along', async () => {
    using planted = await workspaceWith({ facade, client: `export * from 'execa';` });
    await expect(build(planted, 'packages/sdk')).rejects.toThrow('imports execa');
  });

  it('is refused for what its chunks load at once, and not for what they load on demand', () => {
    const chunk = { fileName: 'index.js', isEntry: true, imports: [], dynamicImports: [] };
    const manifest = { name: '@hexagent/sdk', dependencies: { zod: '4' } };
    const shared = { ...chunk, fileName: 'chunks/shared.js', isEntry: false, imports: ['zod'] };
    const eager = [{ ...chunk, imports: ['chunks/shared.js'] }, shared];
    const onDemand = [{ ...chunk, dynamicImports: ['chunks/shared.js'] }, shared];
    expect(complaintsAbout(manifest, eager)).toEqual(['loads zod before anybody asked for it']);
    expect(complaintsAbout(manifest, onDemand)).toEqual([]);
  });
});

describe('The bundles of this workspace', () => {
  let workspace: Folder;
  const print = (program: string): string => workspace.run(process.execPath, '-e', program).output;
  beforeAll(async () => {
    workspace = copyOfWorkspace();
    for (const name of ['ports', 'sdk']) await build(workspace, `packages/${name}`);
    return () => workspace[Symbol.dispose]();
  });

  it('have errors that are those of the ports that a part of your own imports, and the other way round', () => {
    const program = `const [sdk, ports] = [require('./packages/sdk/dist/index.js'), require('./packages/ports/dist/index.js')];
      const exit = { code: 3, signal: null, stderr: '', closed: false };
      const make = ({ SdkError, AgentExitedError, AbortError }) =>
        [new SdkError('FRAME_INVALID', 'x'), new AgentExitedError('x', { exit }), new AbortError()];
      const asked = ({ SdkError, AgentExitedError, AbortError }) => (error) =>
        [SdkError, AgentExitedError, AbortError].map((type) => Number(error instanceof type)).join('');
      console.log(make(ports).map(asked(sdk)).join(' '), make(sdk).map(asked(ports)).join(' '))`;
    expect(print(program)).toBe('100 110 001 100 110 001\n');
  });

  it('leave the global Reflect of the program as it was', () => {
    const program = `const before = Reflect.ownKeys(Reflect).length;
      for (const door of ['index', 'claude-agent-sdk']) require('./packages/sdk/dist/' + door + '.js');
      console.log(Reflect.ownKeys(Reflect).length - before)`;
    expect(print(program)).toBe('0\n');
  });

  it('are the same in each clone: no path to where third parties are installed is in them', () => {
    expect(workspace.read('packages/sdk/dist/chunks/shared.js')).not.toMatch(/^\/\/.*node_modules/m);
  });

  it('begin with a check, by which an older Node names the one that is needed', () => {
    const asOldNode = `delete process.getBuiltinModule;\n${nodeCheck({ name: '@hexagent/x' })}`;
    const { status, output } = workspace.run(process.execPath, '--input-type=module', '-e', asOldNode);
    expect(output).toContain(`Error: @hexagent/x needs Node 20.19, 22.13 or later, this is ${process.versions.node}.`);
    expect(status).toBe(1);
    expect(workspace.read('packages/sdk/dist/chunks/shared.js')).toMatch(/^if \(!process\.getBuiltinModule\)/);
  });
});
