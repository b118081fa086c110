import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { publishedPackages, readJson, root, toolPath } from '../workspace.mjs';
import { Folder } from './planted.ts';

export interface Page {
  /** From the root, with slashes. */
  readonly file: string;
  readonly text: string;
}

export interface Block {
  readonly file: string;
  /** Where its code begins, counted from 1. */
  readonly line: number;
  readonly language: 'ts' | 'js';
  readonly isFragment: boolean;
  readonly code: string;
}

const isOurs = (file: string): boolean => !/(?:^|\/)(?:node_modules|dist|fixtures)(?:\/|$)/.test(file);

export function pagesOf(base: string): readonly Page[] {
  const patterns = [
    '*.md',
    'docs/**/*.md',
    'packages/**/{README,SKILL}.md',
    'examples/*/README.md',
    '{bench,e2e,scripts}/README.md',
    'bench/notes/*.md',
  ];
  const files = globSync(patterns, { cwd: base, exclude: (file) => !isOurs(file) });
  return files.toSorted().map((file) => ({
    file: file.replaceAll('\\', '/'),
    text: readFileSync(path.join(base, file), 'utf8'),
  }));
}

const fence = /^```(\w+)?([^\n]*)\n(.*?)^```$/gms;

export function blocksOf({ file, text }: Page): readonly Block[] {
  return [...text.matchAll(fence)].flatMap(({ 0: whole, 1: name = '', 2: rest = '', 3: code = '', index }) => {
    const language = { ts: 'ts', typescript: 'ts', js: 'js', javascript: 'js', mjs: 'js' }[name];
    if (language !== 'ts' && language !== 'js') return [];
    const line = text.slice(0, index + whole.indexOf('\n') + 1).split('\n').length;
    // The examples of doc comments import nothing.
    const isFragment = rest.trim() === 'fragment' || file.startsWith('docs/reference/');
    return [{ file, line, language, isFragment, code }] as const;
  });
}

/** What is written outside of code blocks, line by line as it stands. */
export const proseOf = ({ text }: Page): string => text.replaceAll(fence, (block) => block.replaceAll(/[^\n]/g, ''));

/** Where programs on a page find what they import: our packages, from sources, and what a reader would install. */
function installInto(folder: string): void {
  const librariesOf = (folder: string): string => path.join(root, folder, 'node_modules');
  const libraries = {
    'packages/adapters/mcp-sdk-server': ['zod', '@modelcontextprotocol/sdk', '@types/node'],
    'packages/server/postgres': ['pg', '@types/pg'],
    'examples/frameworks': ['express', '@types/express', 'fastify', '@sveltejs/kit', 'electron'],
  };
  const places: Readonly<Record<string, string>> = Object.fromEntries([
    ...publishedPackages().map(({ name, dir }) => [name, dir]),
    ...Object.entries(libraries).flatMap(([folder, names]) =>
      names.map((name) => [name, path.join(librariesOf(folder), name)]),
    ),
    ['vitest', path.join(root, 'node_modules/vitest')],
  ]);
  for (const [name, place] of Object.entries(places)) {
    const link = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(place, link, 'junction');
  }
}

/** Stricter than a reader's own compiler is likely to be, and with no more of the language than Node 20 has. */
const settings = {
  extends: path.join(root, 'tsconfig.base.json'),
  compilerOptions: {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    emitDeclarationOnly: false,
    isolatedDeclarations: false,
    allowJs: true,
    checkJs: true,
    moduleDetection: 'force',
    // What a page leaves for the reader to use.
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
  include: ['pages'],
};

/** The compiler's errors in whole programs, in the form `page:line what`. */
export function complaintsOf(blocks: readonly Block[]): readonly string[] {
  using folder = new Folder();
  installInto(folder.dir);
  folder.write('package.json', '{ "type": "module" }');
  folder.write('tsconfig.json', JSON.stringify(settings));
  // As many lines before the code as on the page, so that the compiler counts like a reader.
  for (const { file, line, language, code } of blocks)
    folder.write(`pages/${file}.${line}.m${language}`, '\n'.repeat(line - 1) + code);
  const { status, output } = folder.run(
    process.execPath,
    toolPath('typescript', 'tsc'),
    '-p',
    '.',
    '--pretty',
    'false',
  );
  // What is wrong in our sources is reported by `pnpm typecheck`; anything else that stops the compiler is reported here.
  if (status !== 0 && !output.includes('error TS')) return [output];
  const complaint = /^pages\/(.+)\.\d+\.m[tj]s\((\d+),\d+\): error (.+)$/gm;
  return [...output.matchAll(complaint)].map(([, page, line, what]) => `${page}:${line} ${what}`);
}

/** Fragments are shown in passing: they need not stand alone, but they must be the language. */
export function garbled({ file, line, code }: Block): readonly string[] {
  try {
    stripTypeScriptTypes(code);
    return [];
  } catch (error) {
    return [`${file}:${line} ${String(error)}`];
  }
}

const slugOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsOf = (page: Page): ReadonlySet<string> =>
  new Set([
    ...[...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugOf(heading)),
    ...[...proseOf(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
  ]);

/** How a page that is installed with a package, and shown by a registry, names a file of this repository. */
const published = 'https://github.com/hexagent/hexagent/blob/main/';

/** Links that lead nowhere, in the words `page: link`. */
export function deadLinksOf(page: Page, base: string): readonly string[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const dead = links
    .map((link) => link.replace(published, `${path.posix.relative(path.dirname(page.file), '.') || '.'}/`))
    .filter((link) => !/^[a-z]+:/.test(link) && !leads(link, page, base));
  const unpublished = page.file.startsWith('packages/') ? links.filter((link) => !/^(?:[a-z]+:|#)/.test(link)) : [];
  return [
    ...dead,
    ...unpublished.map((link) => `${link} (begin it with ${published}: beside the package it leads nowhere)`),
  ].map((link) => `${page.file}: ${link}`);
}

function leads(link: string, page: Page, base: string): boolean {
  const [target = '', anchor] = link.split('#');
  const file = path.join(base, target === '' ? page.file : path.join(path.dirname(page.file), target));
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf({ file, text: readFileSync(file, 'utf8') }).has(anchor);
}

const rooms = ['packages', 'docs', 'examples', 'e2e', 'bench', 'scripts', '.changeset', '.ci']
  .join('|')
  .replaceAll('.', '\\.');
const fileReference = new RegExp(`\`((?:${rooms})/[\\w./@-]*)\``, 'g');

/** Files of the repository that a page names and that are not there. */
export function missingFilesOf(page: Page, base: string): readonly string[] {
  const files = [...proseOf(page).matchAll(fileReference)].map(([, file = '']) => file);
  return files.filter((file) => !existsSync(path.join(base, file))).map((file) => `${page.file}: ${file}`);
}

/** Commands that are neither a script of the workspace nor one that pnpm and npm have of themselves. */
export function unknownCommandsOf(page: Page): readonly string[] {
  const scripts = Object.keys(readJson(path.join(root, 'package.json')).scripts);
  const known = new Set([...scripts, 'install', 'vitest', 'exec', 'audit']);
  const commands = [...page.text.matchAll(/(?:`|^)(?:pnpm|npm run) ([a-z][\w:-]*)/gm)].map(
    ([, command = '']) => command,
  );
  return commands.filter((command) => !known.has(command)).map((command) => `${page.file}: ${command}`);
}
