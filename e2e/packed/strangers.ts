import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cli } from '../support/cli.ts';
import { installed, pack } from '../support/local-registry.ts';

export const official = '@anthropic-ai/claude-agent-sdk';
export const libraries: readonly string[] = ['asking-library', 'peering-library'];
export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const isMusl =
  process.platform === 'linux' && !('glibcVersionRuntime' in (process.report.getReport() as { header: object }).header);
/** The CLI's build for this system, as its package is called after the name of the main one. */
export const build: string = `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;

/**
 * Tarballs of other people: libraries, what stands for the official package, the CLI as both packages bring it, and types.
 * A CLI that is started writes the name of its package into the file `ran` of the folder.
 */
export function strangers(folder: string): readonly string[] {
  const make = (name: string, fields: object, files: Readonly<Record<string, string>> = {}): string => {
    const source = join(folder, name.replace('@', '').replaceAll('/', '-'));
    mkdirSync(source);
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name, ...fields }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(source, file), text, { mode: 0o755 });
    return source;
  };
  /** As the real ones, only for its platform: else Yarn leaves it in an archive, where it cannot be run. */
  const program = (name: string, platform: string, version: string): string => {
    const [os, cpu, libc = 'glibc'] = platform.split('-');
    const system = { os: [os], cpu: [cpu], ...(os === 'linux' ? { libc: [libc] } : {}) };
    const claude = `#!/bin/sh\necho '${name}' >> '${folder}/ran'\nexec '${cli}' "$@"\n`;
    return make(name, { version, ...system }, { claude });
  };
  const dropIn = new URL('../../packages/claude-agent-sdk/package.json', import.meta.url);
  const { optionalDependencies } = JSON.parse(readFileSync(dropIn, 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const code = '@anthropic-ai/claude-code';
  const found = ['zod', '@types/node', 'zod-to-json-schema'].map(installed);
  return [
    ...Object.entries(optionalDependencies).map(([name, version]) =>
      program(name, name.slice(official.length + 1), version),
    ),
    program(`${code}-${build}`, build, '2.1.326'),
    make(code, { version: '2.1.326', optionalDependencies: { [`${code}-${build}`]: '2.1.326' } }),
    // The peers of the official package, as far as the programs here use them: what is real has a hundred more beside it.
    make(
      '@anthropic-ai/sdk',
      { version: '1.9.0', exports: { './resources': { types: './resources.d.ts' } } },
      { 'resources.d.ts': 'export interface ContentBlockParam { readonly type: string }\n' },
    ),
    make(
      '@modelcontextprotocol/sdk',
      { version: '1.32.2', type: 'module', exports: { './server/mcp.js': './mcp.js' } },
      { 'mcp.js': 'export class McpServer { registerTool() {} }\n' },
    ),
    ...[...libraries, 'official'].map((library) => fixture(`moved/${library}`)),
    ...found,
    realpathSync(join(found[1] ?? '', '../../undici-types')),
  ].map((source) => pack(source, folder));
}
