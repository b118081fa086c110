import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root, toolPath } from '../workspace.mjs';
import { copyOfWorkspace, type Folder } from './planted.ts';

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

interface Report {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: { readonly violations: readonly Violation[] };
}

function cruise(workspace: Folder): Report {
  const tool = toolPath('dependency-cruiser', 'depcruise');
  const { output } = workspace.run(process.execPath, tool, 'packages', '--output-type', 'json');
  return JSON.parse(output) as Report; // the tool's documented output
}

/** By rule: imports against it, and the folder of packages that each is planted in. */
const plants: Readonly<Record<string, readonly (readonly [folder: string, specifier: string])[]>> = {
  'contracts-know-nobody': [
    ['ports/src', 'node:fs'],
    ['async/src', '@hexagent/ports'],
  ],
  'checks-knows-contracts-only': [
    ['checks/src', '@hexagent/async'],
    ['checks/src', 'node:path'],
  ],
  'processes-knows-contracts-only': [['processes/src', '@hexagent/parser']],
  'domain-decides': [
    ['domain/streaming/src', 'node:timers'],
    ['domain/streaming/src', '../../../processes/src/index.ts'],
    ['domain/querying/src', '@hexagent/streaming'],
    ['domain/permissions/src', 'zod'],
    ['domain/hooking/src', 'tsyringe'],
    ['server/hosting/src', 'node:timers'],
  ],
  'adapters-stand-alone': [
    ['server/http-chat/src', '../../hosting/src/index.ts'],
    ['server/host-files/src', '../../../domain/streaming/src/index.ts'],
    ['stored/settings-files/src', '../../../domain/permissions/src/index.ts'],
    ['stored/transcript-files/src', '../../transcripts/src/index.ts'],
    ['adapters/official-api/src', '../../../domain/streaming/src/index.ts'],
  ],
  'the-inspector-reads-tapes': [['server/inspector/src', '../../hosting/src/index.ts']],
  'a-page-carries-all-it-needs': [['server/inspector/src/page', '../../../../ports/src/index.ts']],
  'testing-takes-the-sdk-as-an-argument': [['testing/src', '../../adapters/parser/src/index.ts']],
  'nobody-needs-the-facade': [
    ['testing/src', '../../sdk/src/index.ts'],
    ['server/hosting/src', '../../../sdk/src/index.ts'],
  ],
  'the-facade-knows-no-server': [
    ['sdk/src', '../../server/chat/src/index.ts'],
    ['sdk/test', '../../server/hosting/src/index.ts'],
  ],
  'chat-joins-the-server': [['server/chat/src', '../../../domain/streaming/src/index.ts']],
  'one-container': [['adapters/parser/src', 'tsyringe']],
  'sources-do-not-need-tests': [['adapters/parser/src', '@hexagent/testing']],
  'by-name-not-by-path': [
    ['sdk/src', '../../adapters/parser/src/index.ts'],
    ['adapters/parser/test', '../../../ports/src/index.ts'],
  ],
  'own-modules-by-path': [['sdk/src', '@hexagent/sdk/claude-agent-sdk']],
  'published-code-brings-what-it-imports': [['adapters/cli-launch/src', 'zod']],
  resolvable: [['adapters/cli-transport/src', 'execa']],
};

const zod = 'packages/adapters/mcp-sdk-server/node_modules/zod';

/** What a package may carry by the bundling table, and what its users bring. */
function plantAllowed(workspace: Folder): void {
  workspace.write('packages/sdk/src/allowed.ts', `import 'tsyringe';\nexport {};\n`);
  for (const kind of ['devDependencies', 'peerDependencies'] as const)
    workspace.depend('packages/adapters/cli-transport', kind, 'zod', zod);
  workspace.write('packages/adapters/cli-transport/src/allowed.ts', `import 'zod';\nexport {};\n`);
}

/** What has to be reported. */
function plantForbidden(workspace: Folder): readonly string[] {
  workspace.depend('packages/adapters/cli-launch', 'devDependencies', 'zod', zod);
  workspace.depend('packages/adapters/parser', 'dependencies', 'tsyringe', 'packages/sdk/node_modules/tsyringe');
  const plant = (rule: string, file: string, code: string): string => {
    workspace.write(`packages/${file}`, `${code};\nexport {};\n`);
    return `${rule} in packages/${file}`;
  };
  plant('no-cycles', 'sdk/src/planted-b.ts', `import './planted-a.ts'`);
  return [
    ...Object.entries(plants).flatMap(([rule, imports]) =>
      imports.map(([folder, name], index) => plant(rule, `${folder}/planted-${index}-${rule}.ts`, `import '${name}'`)),
    ),
    plant(
      'adapters-stand-alone',
      'adapters/cli-launch/src/planted-type.ts',
      `import type {} from '../../parser/src/index.ts'`,
    ),
    // Reported once, at one of the two.
    plant('no-cycles', 'sdk/src/planted-a.ts', `import './planted-b.ts'`),
  ];
}

it('The dependency rule reads every source, and catches every arrow against the design that is planted, and no other', () => {
  using workspace = copyOfWorkspace();
  plantAllowed(workspace);
  const planted = plantForbidden(workspace);
  const { modules, summary } = cruise(workspace);
  const read = new Set(modules.map(({ source }) => source));
  const sources = globSync('packages/**/src/**/*.ts', { cwd: root }).map((file) => file.split(path.sep).join('/'));
  expect(sources.length).toBeGreaterThan(30);
  expect(sources.filter((file) => !read.has(file) && !file.includes('/node_modules/'))).toEqual([]);
  const caught = new Set(summary.violations.map(({ rule, from }) => `${rule.name} in ${from}`));
  expect(planted.filter((violation) => !caught.has(violation))).toEqual([]);
  expect([...caught].filter((violation) => !violation.includes('/planted-'))).toEqual([]);
});
