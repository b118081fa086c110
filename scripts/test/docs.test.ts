import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { unsupportedOptions } from '../../packages/adapters/official-api/src/unsupported.ts';
import { remedies } from '../../packages/ports/src/errors.ts';
import { publishedPackages, readJson, root, toolPath } from '../workspace.mjs';
import { Folder } from './planted.ts';

interface Page {
  /** From the root, with slashes. */
  readonly file: string;
  readonly text: string;
}

interface Block {
  readonly file: string;
  /** Where its code begins, counted from 1. */
  readonly line: number;
  readonly language: 'ts' | 'js';
  readonly isFragment: boolean;
  readonly code: string;
}

const isOurs = (file: string): boolean => !/(?:^|\/)(?:node_modules|dist|fixtures)(?:\/|$)/.test(file);

function pagesOf(base: string): readonly Page[] {
  const patterns = [
    '*.md',
    'docs/**/*.md',
    'packages/**/README.md',
    'examples/*/README.md',
    '{bench,scripts}/README.md',
  ];
  const files = globSync(patterns, { cwd: base, exclude: (file) => !isOurs(file) });
  return files.toSorted().map((file) => ({
    file: file.replaceAll('\\', '/'),
    text: readFileSync(path.join(base, file), 'utf8'),
  }));
}

const fence = /^```(\w+)?([^\n]*)\n(.*?)^```$/gms;

function blocksOf({ file, text }: Page): readonly Block[] {
  return [...text.matchAll(fence)].flatMap(({ 0: whole, 1: name = '', 2: rest = '', 3: code = '', index }) => {
    const language = { ts: 'ts', typescript: 'ts', js: 'js', javascript: 'js', mjs: 'js' }[name];
    if (language !== 'ts' && language !== 'js') return [];
    const line = text.slice(0, index + whole.indexOf('\n') + 1).split('\n').length;
    return [{ file, line, language, isFragment: rest.trim() === 'fragment', code }] as const;
  });
}

/** What is written outside of code blocks, line by line as it stands. */
const proseOf = ({ text }: Page): string => text.replaceAll(fence, (block) => block.replaceAll(/[^\n]/g, ''));

/** Where programs on a page find what they import: our packages, from sources, and what a reader would install. */
function installInto(folder: string): void {
  const librariesOf = path.join(root, 'packages/adapters/mcp-sdk-server/node_modules');
  const places: Readonly<Record<string, string>> = Object.fromEntries([
    ...publishedPackages().map(({ name, dir }) => [name, dir]),
    ...['zod', '@modelcontextprotocol/sdk', '@types/node'].map((name) => [name, path.join(librariesOf, name)]),
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

/** What the compiler says of whole programs, in the words `page:line what`. */
function complaintsOf(blocks: readonly Block[]): readonly string[] {
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
  // What is wrong in our sources is for `pnpm typecheck` to say; anything else that stops the compiler is told here.
  if (status !== 0 && !output.includes('error TS')) return [output];
  const complaint = /^pages\/(.+)\.\d+\.m[tj]s\((\d+),\d+\): error (.+)$/gm;
  return [...output.matchAll(complaint)].map(([, page, line, what]) => `${page}:${line} ${what}`);
}

/** Fragments are shown in passing: they need not stand alone, but they must be the language. */
function garbled({ file, line, code }: Block): readonly string[] {
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

const headingsOf = (page: Page): ReadonlySet<string> =>
  new Set([...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slugOf(heading)));

/** Links that lead nowhere, in the words `page: link`. */
function deadLinksOf(page: Page, base: string): readonly string[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link) && !leads(link, page, base))
    .map((link) => `${page.file}: ${link}`);
}

function leads(link: string, page: Page, base: string): boolean {
  const [target = '', anchor] = link.split('#');
  const file = path.join(base, target === '' ? page.file : path.join(path.dirname(page.file), target));
  if (!existsSync(file)) return false;
  return anchor === undefined || headingsOf({ file, text: readFileSync(file, 'utf8') }).has(anchor);
}

const rooms = ['packages', 'docs', 'examples', 'e2e', 'bench', 'scripts', '.changeset', '.ci']
  .join('|')
  .replaceAll('.', '\\.');
const fileReference = new RegExp(`\`((?:${rooms})/[\\w./@-]*)\``, 'g');

/** Files of the repository that a page names and that are not there. */
function missingFilesOf(page: Page, base: string): readonly string[] {
  const files = [...proseOf(page).matchAll(fileReference)].map(([, file = '']) => file);
  return files.filter((file) => !existsSync(path.join(base, file))).map((file) => `${page.file}: ${file}`);
}

/** Commands that are neither a script of the workspace nor one that pnpm and npm have of themselves. */
function unknownCommandsOf(page: Page): readonly string[] {
  const scripts = Object.keys(readJson(path.join(root, 'package.json')).scripts);
  const known = new Set([...scripts, 'install', 'vitest', 'exec', 'audit']);
  const commands = [...page.text.matchAll(/(?:`|^)(?:pnpm|npm run) ([a-z][\w:-]*)/gm)].map(
    ([, command = '']) => command,
  );
  return commands.filter((command) => !known.has(command)).map((command) => `${page.file}: ${command}`);
}

const pages = pagesOf(root);
const blocks = pages.flatMap(blocksOf);

describe('Code on a page', () => {
  it('compiles, each block as a program of its own', () => {
    expect(blocks.filter(({ isFragment }) => !isFragment).length).toBeGreaterThan(20);
    expect(complaintsOf(blocks.filter(({ isFragment }) => !isFragment))).toEqual([]);
  });

  it('is the language even where it is a fragment', () => {
    expect(blocks.filter(({ isFragment }) => isFragment).flatMap(garbled)).toEqual([]);
  });

  it('of the README is the quickstart that CI runs', () => {
    const [readme] = pages.filter(({ file }) => file === 'README.md').flatMap(blocksOf);
    expect(readme?.code).toBe(readFileSync(path.join(root, 'examples/quickstart/quickstart.mjs'), 'utf8'));
  });
});

describe('What a page points at', () => {
  it.each(pages)('is there: $file', (page) => {
    expect([...deadLinksOf(page, root), ...missingFilesOf(page, root), ...unknownCommandsOf(page)]).toEqual([]);
  });
});

describe('What a page lists', () => {
  const textOf = (name: string): string => pages.find(({ file }) => file === name)?.text ?? '';

  it('is every package and what it depends on, on the map in the README', () => {
    const rows = [...textOf('README.md').matchAll(/^\| \[`[^`]+`\]\((packages\/[^)]+)\) \| [^|]+ \| ([^|]+) \|$/gm)];
    const drawn = rows.map(([, folder, needs = '']) => [
      folder,
      needs === 'nothing' ? [] : needs.split(', ').toSorted(),
    ]);
    const real = publishedPackages().map(({ folder, manifest }) => {
      const ours = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@hexagent/'));
      return [folder, ours.map((name) => name.replace('@hexagent/', '')).toSorted()];
    });
    expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(real));
  });

  it('is every official option that is refused, where a program is moved', () => {
    const [, listed = ''] =
      /^- \*\*Options\*\*: (agentProgressSummaries[^;]*);/ms.exec(textOf('docs/migrating.md')) ?? [];
    expect(listed.split(/,\s+/).toSorted()).toEqual(unsupportedOptions.toSorted());
    expect(textOf('README.md')).toContain(`${unsupportedOptions.length} of the 70 options`);
    expect(textOf('README.md')).toContain(`${70 - unsupportedOptions.length} of 70 options`);
  });
});

describe('A table of options', () => {
  /** The names that an interface of ours declares, its own and those of the interfaces it extends. */
  function namesIn(file: string, ...interfaces: readonly string[]): readonly string[] {
    const source = readFileSync(path.join(root, file), 'utf8');
    return interfaces.flatMap((name) => {
      const [, body] = new RegExp(`^export interface ${name}\\b.*?\\{\\n(.*?)^\\}`, 'ms').exec(source) ?? [];
      if (body === undefined) throw new Error(`${file} has no interface ${name}.`);
      return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, option = '']) => option);
    });
  }

  /** The names in one column of the table that begins with this head. */
  function namesListed(file: string, head: string, column = 0): readonly string[] {
    const text = pages.find((page) => page.file === file)?.text ?? '';
    const [, table = ''] = text.split(`\n${head}`);
    const [rows = ''] = table.split('\n\n');
    const cells = rows.split('\n').map((row) => row.split(/(?<!\\)\|/)[column + 1] ?? '');
    return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  }

  it.each([
    ['packages/sdk/README.md', '| name ', 0, 'packages/sdk/src/session-options.ts', ['SessionOptions']],
    ['docs/swapping-a-part.md', '| part ', 0, 'packages/sdk/src/parts.ts', ['Parts']],
    [
      'packages/adapters/cli-transport/README.md',
      '| name ',
      0,
      'packages/adapters/cli-transport/src/cli-transport.ts',
      ['CliTransportOptions'],
    ],
    [
      'packages/adapters/mcp-client/README.md',
      '| name ',
      0,
      'packages/adapters/mcp-client/src/stdio-server.ts',
      ['StdioServer'],
    ],
  ] as const)('on %s lists every option and no other', (page, head, column, file, interfaces) => {
    expect(namesListed(page, head, column).toSorted()).toEqual(namesIn(file, ...interfaces).toSorted());
  });

  it('of a launch, which a transport follows, lists every field and no other', () => {
    const [, list = ''] =
      /which holds everything the agent needs:\n\n(.*?)\n\n/s.exec(
        pages.find(({ file }) => file === 'docs/swapping-a-part.md')?.text ?? '',
      ) ?? [];
    const named = [...list.matchAll(/^- (.*?):/gm)].flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)]);
    expect(named.map(([, name]) => name).toSorted()).toEqual(
      namesIn('packages/ports/src/launch.ts', 'Launch').toSorted(),
    );
  });

  it('of in-process servers lists every option and no other', () => {
    const folder = 'packages/adapters/mcp-sdk-server';
    const real = [
      ...namesIn(`${folder}/src/server-definition.ts`, 'CreateSdkMcpServerOptions'),
      ...namesIn(`${folder}/src/tool.ts`, 'ToolExtras'),
    ];
    expect(namesListed(`${folder}/README.md`, '| of ', 1).toSorted()).toEqual(real.toSorted());
  });
});

describe('A table of error codes', () => {
  const codesOf = ({ text }: Page): readonly string[] =>
    [...text.matchAll(/^\| (?:.* \| )?code \|.*\n\|[-|]+\n((?:\|.*\n)+)/gim)]
      .flatMap(([, rows = '']) => [...rows.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)])
      .map(([, code = '']) => code);

  it.each(pages.filter((page) => codesOf(page).length > 0))('names codes that exist: $file', (page) => {
    expect(
      codesOf(page).filter((code) => !Object.hasOwn(remedies, code) && !/^(?:CLAUDE|NODE|IS|HEXAGENT)_/.test(code)),
    ).toEqual([]);
  });
});

describe('The reasons in the README', () => {
  const textOf = (name: string): string => pages.find(({ file }) => file === name)?.text ?? '';
  const [, why = ''] = /^## Why\n(.*?)^## /ms.exec(textOf('README.md')) ?? [];
  const [, node = ''] = /Node ([\d.]+)/.exec(why) ?? [];
  const measured =
    textOf('bench/README.md')
      .split(/^## /m)
      .find((section) => section.startsWith(`Node ${node}`)) ?? '';

  /** What the benchmark of that Node says of ours and of the official package. */
  const figuresOf = (row: string, metric: string): readonly [ours: number, theirs: number] => {
    const line = measured.split('\n').find((text) => text.startsWith(`| ${row} | ${metric} |`)) ?? '';
    const [, , , , , ours = '', theirs = ''] = line.split('|').map((cell) => cell.trim());
    return [Number(ours), Number(theirs)];
  };

  it.each([
    [
      'stop-real',
      'abort: loop ends',
      (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toLocaleString('en', { maximumFractionDigits: 0 })),
    ],
    ['stop-real', 'abort: process gone', (ms: number) => ms.toLocaleString('en', { maximumFractionDigits: 0 })],
    ['slow', 'memory growth', (mb: number) => `${mb.toFixed(0)} MB`],
    ['import', 'time', (ms: number) => ms.toFixed(0)],
    ['stream', 'rate', (perSecond: number) => (perSecond / 1e6).toFixed(2)],
  ] as const)('are figures of the benchmark: %s, %s', (row, metric, format) => {
    for (const figure of figuresOf(row, metric)) expect(why).toMatch(new RegExp(`\\b${format(figure)}\\b`));
  });

  it('are figures of the benchmark: messages after an abort', () => {
    const [ours, theirs] = figuresOf('stop-real', 'abort: messages after');
    expect(ours).toBe(0);
    expect(why).toContain(`${theirs.toLocaleString('en')} messages`);
  });

  it('hide no row in which a single call is slower by a tenth', () => {
    for (const row of ['permission', 'hook']) {
      const [ours, theirs] = figuresOf(row, 'p50');
      expect(ours / theirs).toBeLessThan(1.1);
    }
  });
});

describe('The index of the docs', () => {
  const index = pages.find(({ file }) => file === 'docs/README.md');
  const titleOf = (page: Page): string => /^# (.+)$/m.exec(page.text)?.[1] ?? '';

  it('lists every decision record once, in order, with its own number and title', () => {
    const listed = [...(index?.text ?? '').matchAll(/^\| (\d+) \| \[([^\]]+)\]\((decisions\/[^)]+)\) \|$/gm)];
    const records = pages.filter(({ file }) => file.startsWith('docs/decisions/'));
    expect(records.length).toBeGreaterThan(8);
    expect(listed.map(([, number, title, file]) => [`docs/${file}`, `${number}. ${title}`])).toEqual(
      records.map((page) => [page.file, titleOf(page)]),
    );
  });

  it('leads to decision records that cite files of this repository only', () => {
    // `CLAUDE.md` is a file of the agent's users.
    const records = pages.filter(({ file }) => file.startsWith('docs/decisions/'));
    const foreign = records.flatMap((page) =>
      [...proseOf(page).matchAll(/[\w/.-]+\.md\b/g)]
        .map(([name]) => name)
        .filter(
          (name) =>
            name !== 'CLAUDE.md' &&
            ![path.dirname(page.file), '.'].some((folder) => existsSync(path.join(root, folder, name))),
        )
        .map((name) => `${page.file}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  it('lists every page', () => {
    const links = [...(index?.text ?? '').matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \|/gm)].map(([, link]) => `docs/${link}`);
    const others = pages.filter(({ file }) => /^docs\/[^/]+\.md$/.test(file) && file !== index?.file);
    expect(links.toSorted()).toEqual(others.map(({ file }) => file).toSorted());
  });
});

describe('The guard over the pages', () => {
  const text = [
    '# Planted page',
    '```ts',
    "import { openSession } from '@hexagent/sdk';",
    'openSession({ cwd: 4 });',
    '```',
    '```ts fragment',
    'const open = ;',
    '```',
    '[there](#planted-page) [a](#nowhere) [b](gone.md) [c](https://example.com)',
    'See `docs/gone.md`, and run `pnpm nothing`.',
  ].join('\n');
  const page: Page = { file: 'docs/planted.md', text };
  const [program, fragment] = blocksOf(page);
  let folder: Folder;

  beforeAll(() => {
    folder = new Folder();
    folder.write(page.file, text);
    return () => folder[Symbol.dispose]();
  });

  it('sees a type that does not fit, and says on which line of which page', () => {
    expect(complaintsOf([program!])).toEqual([expect.stringMatching(/^docs\/planted\.md:4 TS2322/)]);
  });

  it('sees a fragment that is no TypeScript', () => {
    expect(garbled(fragment!)).toEqual([expect.stringContaining('docs/planted.md:7')]);
  });

  it('sees links, files and commands that are not there', () => {
    expect(deadLinksOf(page, folder.dir)).toEqual(['docs/planted.md: #nowhere', 'docs/planted.md: gone.md']);
    expect(missingFilesOf(page, folder.dir)).toEqual(['docs/planted.md: docs/gone.md']);
    expect(unknownCommandsOf(page)).toEqual(['docs/planted.md: nothing']);
  });
});
