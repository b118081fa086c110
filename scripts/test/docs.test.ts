import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../packages/adapters/official-api/src/constants.ts';
import { remedies } from '../../packages/ports/src/errors.ts';
import { refusals } from '../../packages/server/http-chat/src/refusal.ts';
import { shapes } from '../../packages/server/http-chat/src/routes.ts';
import * as contracts from '../../packages/testing/src/contracts/index.ts';
import { publishedPackages, root } from '../workspace.mjs';
import {
  blocksOf,
  complaintsOf,
  deadLinksOf,
  garbled,
  missingFilesOf,
  pagesOf,
  proseOf,
  unknownCommandsOf,
  type Page,
} from './pages.ts';
import { Folder } from './planted.ts';

const pages = pagesOf(root);
const blocks = pages.flatMap(blocksOf);
const textOf = (name: string): string => pages.find(({ file }) => file === name)?.text ?? '';

describe('Code on a page', () => {
  it('compiles, each block as a program of its own', () => {
    expect(blocks.filter(({ isFragment }) => !isFragment).length).toBeGreaterThan(20);
    expect(complaintsOf(blocks.filter(({ isFragment }) => !isFragment))).toEqual([]);
  });

  it('is the language even where it is a fragment', () => {
    expect(blocks.filter(({ isFragment }) => isFragment).flatMap(garbled)).toEqual([]);
  });

  it('of the first session is the quickstart that CI runs', () => {
    const [, session] = pages.filter(({ file }) => file === 'docs/getting-started.md').flatMap(blocksOf);
    expect(session?.code).toBe(readFileSync(path.join(root, 'examples/quickstart/quickstart.mjs'), 'utf8'));
  });

  it('of a framework is the example that CI runs', () => {
    const files = [
      'express.ts',
      'fastify.ts',
      'next/app/api/[...path]/route.ts',
      'sveltekit/src/routes/api/[...path]/+server.ts',
      'electron/main.mjs',
    ];
    const shown = blocks.filter(({ file }) => file === 'docs/frameworks.md').map(({ code }) => code);
    expect(shown).toEqual(files.map((file) => readFileSync(path.join(root, 'examples/frameworks', file), 'utf8')));
  });
});

describe('What a page points at', () => {
  it.each(pages)('is there: $file', (page) => {
    expect([...deadLinksOf(page, root), ...missingFilesOf(page, root), ...unknownCommandsOf(page)]).toEqual([]);
  });
});

describe('What a page lists', () => {
  it('is every package and what it depends on, on the map of the architecture', () => {
    const row = /^\| \[`[^`]+`\]\(\.\.\/(packages\/[^)]+)\) \| [^|]+ \| ([^|]+) \|$/gm;
    const rows = [...textOf('docs/architecture.md').matchAll(row)];
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

  it('is, in the walks of the architecture, as many hops as are counted, by names that the code declares', () => {
    const sources = globSync('packages/**/src/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
      .map((file) => readFileSync(path.join(root, file), 'utf8'))
      .join('\n');
    const walks = [...textOf('docs/architecture.md').matchAll(/(\d+) hops[^\n]*:\n\n((?:\|.*\n)+)/g)];
    expect(walks).toHaveLength(7);
    for (const [, count, table = ''] of walks) {
      const names = [...table.matchAll(/^\| \d+ \| `(\w+)` \|/gm)].map(([, name]) => name);
      expect(names).toHaveLength(Number(count));
      expect(names.filter((name) => !new RegExp(`\\b(?:class|function|const) ${name}\\b`).test(sources))).toEqual([]);
    }
  });

  it('is every option of the drop-in, the official ones and those of ours, where a program is moved', () => {
    const source = readFileSync(path.join(root, 'packages/adapters/official-api/src/types/options.ts'), 'utf8');
    const declared = source
      .split('export type OwnOptions')
      .map((part) => [...part.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name = '']) => name));
    const [, ...listed] = /^- \*\*Options\*\*: ([^.]*)\. Of ours: ([^.]*)\./m.exec(textOf('docs/migrating.md')) ?? [];
    expect(listed.map((names) => names.split(/,\s+/).toSorted())).toEqual(declared.map((names) => names.toSorted()));
  });

  /** What stands in backquotes in the first column of the tables of a section. */
  const firstColumn = (file: string, heading: string): readonly string[] => {
    const [, section = ''] = textOf(file).split(`\n## ${heading}\n`);
    const [own = ''] = section.split('\n## ');
    const cells = [...own.matchAll(/^\|([^|]*)\|/gm)].map(([, cell = '']) => cell);
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).toSorted();
  };

  it('is every event of hooks', () => {
    expect(firstColumn('docs/hook-events.md', 'Events')).toEqual(HOOK_EVENTS.toSorted());
  });

  it('is every address of a chat', () => {
    const addresses = shapes.map(({ method, path }) => `${method} /${path.join('/').replace(':chat', ':id')}`);
    const listed = firstColumn('packages/server/http-chat/README.md', 'Addresses');
    expect(listed.map((address) => address.replace(/\?.*/, '')).toSorted()).toEqual(addresses.toSorted());
  });

  it('is every code with which a chat refuses a request, and its status', () => {
    const rows = [...textOf('packages/server/http-chat/README.md').matchAll(/^\| (\d{3}) \| (.*) \|$/gm)];
    const listed = rows.flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => [code, Number(status)]),
    );
    const real = Object.entries(refusals).map(([code, [status]]) => [code, status]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(real));
  });

  it('is every contract suite', () => {
    const suites = Object.keys(contracts).filter((name) => name.endsWith('Contract'));
    expect(firstColumn('packages/testing/README.md', 'Contract suites')).toEqual(suites.toSorted());
  });
});

describe('A table of options', () => {
  /** The names that interfaces of ours declare, each given as `file#Interface`. */
  const namesIn = (...interfaces: readonly string[]): readonly string[] =>
    interfaces.flatMap((one) => {
      const [file = '', name] = one.split('#');
      const source = readFileSync(path.join(root, 'packages', file), 'utf8');
      const [, body] = new RegExp(`^export interface ${name}\\b.*?\\{\\n(.*?)^\\}`, 'ms').exec(source) ?? [];
      if (body === undefined) throw new Error(`There is no interface ${one}.`);
      return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, option = '']) => option);
    });

  /** The names in one column of the table that begins with this head. */
  function namesListed(file: string, head: string, column = 0): readonly string[] {
    const [, table = ''] = textOf(file).split(`\n${head}`);
    const [rows = ''] = table.split('\n\n');
    const cells = rows.split('\n').map((row) => row.split(/(?<!\\)\|/)[column + 1] ?? '');
    return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  }

  const clientOptions = ['ServerOptions', 'StdioServer', 'HttpServer'].map(
    (name) => `adapters/mcp-client/src/server-options.ts#${name}`,
  );
  const inProcess = ['server-definition.ts#CreateSdkMcpServerOptions', 'tool.ts#ToolExtras'].map(
    (name) => `adapters/mcp-sdk-server/src/${name}`,
  );

  it.each([
    ['packages/sdk/README.md', '| name ', 0, ['sdk/src/session-options.ts#SessionOptions']],
    ['docs/swapping-a-part.md', '| part ', 0, ['sdk/src/parts.ts#Parts']],
    [
      'packages/adapters/cli-transport/README.md',
      '| name ',
      0,
      ['program-options.ts#ProgramOptions', 'cli-transport.ts#CliTransportOptions'].map(
        (name) => `adapters/cli-transport/src/${name}`,
      ),
    ],
    ['packages/adapters/mcp-client/README.md', '| name ', 0, clientOptions],
    ['packages/adapters/mcp-sdk-server/README.md', '| of ', 1, inProcess],
  ] as const)('on %s lists every option and no other', (page, head, column, interfaces) => {
    expect(namesListed(page, head, column).toSorted()).toEqual(namesIn(...interfaces).toSorted());
  });

  it('of a launch, which a transport follows, lists every field and no other', () => {
    const [, list = ''] =
      /which holds everything the agent needs:\n\n(.*?)\n\n/s.exec(textOf('docs/swapping-a-part.md')) ?? [];
    const named = [...list.matchAll(/^- (.*?):/gm)].flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)]);
    expect(named.map(([, name]) => name).toSorted()).toEqual(namesIn('ports/src/launch.ts#Launch').toSorted());
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
  const [, why = ''] = /^## Why\n(.*?)^## /ms.exec(textOf('README.md')) ?? [];
  const [, node = ''] = /Node ([\d.]+)/.exec(why) ?? [];
  const measured =
    textOf('bench/README.md')
      .split(/^## /m)
      .find((section) => section.startsWith(`Node ${node}`)) ?? '';

  /** The figures of the benchmark on that Node for ours and for the official package. */
  const figuresOf = (row: string, metric: string): readonly [ours: number, theirs: number] => {
    const line = measured.split('\n').find((text) => text.startsWith(`| ${row} | ${metric} |`)) ?? '';
    const [, , , , , ours = '', theirs = ''] = line.split('|').map((cell) => cell.trim());
    return [Number(ours), Number(theirs)];
  };

  it('are figures of the benchmark', () => {
    const whole = (figure: number): string => figure.toLocaleString('en', { maximumFractionDigits: 0 });
    const figures = [
      ['stop-real', 'abort: loop ends', (ms: number) => (ms < 10 ? ms.toFixed(1) : whole(ms))],
      ['stop-real', 'abort: process gone', whole],
      ['slow', 'memory growth', (mb: number) => `${whole(mb)} MB`],
      ['import', 'time', whole],
      ['stream', 'rate', (perSecond: number) => (perSecond / 1e6).toFixed(2)],
    ] as const;
    const [after, messages] = figuresOf('stop-real', 'abort: messages after');
    const wanted = figures.flatMap(([row, metric, format]) => figuresOf(row, metric).map(format));
    const missing = [...wanted, `${whole(messages)} messages`].filter((text) => !new RegExp(`\\b${text}\\b`).test(why));
    expect({ after, missing }).toEqual({ after: 0, missing: [] });
  });

  it('hide no row in which a single call is slower by a tenth', () => {
    const slower = ['permission', 'hook', 'tool'].filter((row) => {
      const [ours, theirs] = figuresOf(row, 'p50');
      return !(ours / theirs < 1.1);
    });
    expect(slower.filter((row) => !why.includes(`a single ${row}`))).toEqual([]);
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
    const others = pages.filter(
      ({ file }) => /^docs\/(?:[^/]+|reference\/README)\.md$/.test(file) && file !== index?.file,
    );
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
    '[d](https://github.com/hexagent/hexagent/blob/main/docs/planted.md#gone)',
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

  it('finds a type that does not fit, and reports the line and the page', () => {
    expect(complaintsOf([program!])).toEqual([expect.stringMatching(/^docs\/planted\.md:4 TS2322/)]);
  });

  it('sees a fragment that is not TypeScript', () => {
    expect(garbled(fragment!)).toEqual([expect.stringContaining('docs/planted.md:7')]);
  });

  it('sees links, files and commands that are not there', () => {
    expect(deadLinksOf(page, folder.dir)).toEqual([
      'docs/planted.md: #nowhere',
      'docs/planted.md: gone.md',
      'docs/planted.md: ../docs/planted.md#gone',
    ]);
    const packed: Page = { file: 'packages/a/README.md', text: '# A\n[l](LICENSE) [a](#a)' };
    folder.write('packages/a/LICENSE', '');
    folder.write(packed.file, packed.text);
    expect(deadLinksOf(packed, folder.dir)).toEqual([
      expect.stringMatching(/^packages\/a\/README\.md: LICENSE \(begin it with https:.*\)$/),
    ]);
    expect(missingFilesOf(page, folder.dir)).toEqual(['docs/planted.md: docs/gone.md']);
    expect(unknownCommandsOf(page)).toEqual(['docs/planted.md: nothing']);
  });
});
