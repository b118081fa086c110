import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
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

const plants = [
  { rule: 'contracts-know-nobody', in: 'packages/ports/src', code: `import 'node:fs';` },
  { rule: 'contracts-know-nobody', in: 'packages/async/src', code: `import '@hexagent/ports';` },
  { rule: 'checks-knows-contracts-only', in: 'packages/checks/src', code: `import '@hexagent/async';` },
  { rule: 'checks-knows-contracts-only', in: 'packages/checks/src', code: `import 'node:path';` },
  { rule: 'processes-knows-contracts-only', in: 'packages/processes/src', code: `import '@hexagent/parser';` },
  { rule: 'domain-decides', in: 'packages/domain/streaming/src', code: `import 'node:timers';` },
  { rule: 'domain-decides', in: 'packages/domain/streaming/src', code: `import '../../../processes/src/index.ts';` },
  { rule: 'domain-decides', in: 'packages/domain/querying/src', code: `import '@hexagent/streaming';` },
  { rule: 'domain-decides', in: 'packages/domain/permissions/src', code: `import 'zod';` },
  { rule: 'domain-decides', in: 'packages/domain/hooking/src', code: `import 'tsyringe';` },
  { rule: 'domain-decides', in: 'packages/server/hosting/src', code: `import 'node:timers';` },
  { rule: 'adapters-stand-alone', in: 'packages/server/http-chat/src', code: `import '../../hosting/src/index.ts';` },
  {
    rule: 'adapters-stand-alone',
    in: 'packages/server/host-files/src',
    code: `import '../../../domain/streaming/src/index.ts';`,
  },
  {
    rule: 'adapters-stand-alone',
    in: 'packages/stored/settings-files/src',
    code: `import '../../../domain/permissions/src/index.ts';`,
  },
  {
    rule: 'adapters-stand-alone',
    in: 'packages/stored/transcript-files/src',
    code: `import '../../transcripts/src/index.ts';`,
  },
  {
    rule: 'adapters-stand-alone',
    in: 'packages/adapters/cli-launch/src',
    code: `import type {} from '../../parser/src/index.ts';`,
  },
  {
    rule: 'adapters-stand-alone',
    in: 'packages/adapters/official-api/src',
    code: `import '../../../domain/streaming/src/index.ts';`,
  },
  {
    rule: 'testing-takes-the-sdk-as-an-argument',
    in: 'packages/testing/src',
    code: `import '../../adapters/parser/src/index.ts';`,
  },
  { rule: 'nobody-needs-the-facade', in: 'packages/testing/src', code: `import '../../sdk/src/index.ts';` },
  { rule: 'nobody-needs-the-facade', in: 'packages/server/hosting/src', code: `import '../../../sdk/src/index.ts';` },
  { rule: 'the-facade-knows-no-server', in: 'packages/sdk/src', code: `import '../../server/chat/src/index.ts';` },
  { rule: 'the-facade-knows-no-server', in: 'packages/sdk/test', code: `import '../../server/hosting/src/index.ts';` },
  {
    rule: 'chat-joins-the-server',
    in: 'packages/server/chat/src',
    code: `import '../../../domain/streaming/src/index.ts';`,
  },
  { rule: 'one-container', in: 'packages/adapters/parser/src', code: `import 'tsyringe';` },
  { rule: 'sources-do-not-need-tests', in: 'packages/adapters/parser/src', code: `import '@hexagent/testing';` },
  { rule: 'by-name-not-by-path', in: 'packages/sdk/src', code: `import '../../adapters/parser/src/index.ts';` },
  { rule: 'by-name-not-by-path', in: 'packages/adapters/parser/test', code: `import '../../../ports/src/index.ts';` },
  { rule: 'own-modules-by-path', in: 'packages/sdk/src', code: `import '@hexagent/sdk/claude-agent-sdk';` },
  { rule: 'published-code-brings-what-it-imports', in: 'packages/adapters/cli-launch/src', code: `import 'zod';` },
  { rule: 'resolvable', in: 'packages/adapters/cli-transport/src', code: `import 'execa';` },
] as const;

const zod = 'packages/adapters/mcp-sdk-server/node_modules/zod';

describe('The dependency rule', () => {
  it('reads every source of every package, and finds no arrow against the design', () => {
    using workspace = copyOfWorkspace();
    // What the bundling table allows a package to carry, and what its users bring.
    workspace.write('packages/sdk/src/planted.ts', `import 'tsyringe';\nexport {};\n`);
    workspace.depend('packages/adapters/cli-launch', 'devDependencies', 'zod', zod);
    workspace.depend('packages/adapters/cli-launch', 'peerDependencies', 'zod', zod);
    workspace.write('packages/adapters/cli-launch/src/planted.ts', `import 'zod';\nexport {};\n`);
    const { modules, summary } = cruise(workspace);
    const read = new Set(modules.map(({ source }) => source));
    const sources = globSync('packages/**/src/**/*.ts', { cwd: root }).map((file) => file.split(path.sep).join('/'));
    expect(sources.filter((file) => !read.has(file) && !file.includes('/node_modules/'))).toEqual([]);
    expect(modules.length).toBeGreaterThan(30);
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  });

  it('catches every arrow against the design that is planted', () => {
    using workspace = copyOfWorkspace();
    workspace.depend('packages/adapters/cli-launch', 'devDependencies', 'zod', zod);
    workspace.depend('packages/adapters/parser', 'dependencies', 'tsyringe', 'packages/sdk/node_modules/tsyringe');
    plants.forEach((plant, number) =>
      workspace.write(`${plant.in}/planted-${number}.ts`, `${plant.code}\nexport {};\n`),
    );
    workspace.write('packages/sdk/src/planted-a.ts', `import './planted-b.ts';\nexport {};\n`);
    workspace.write('packages/sdk/src/planted-b.ts', `import './planted-a.ts';\nexport {};\n`);
    const { violations } = cruise(workspace).summary;
    const caught = new Set(violations.map(({ rule, from }) => `${rule.name} in ${from}`));
    const wanted = plants.map((plant, number) => `${plant.rule} in ${plant.in}/planted-${number}.ts`);
    expect(wanted.filter((violation) => !caught.has(violation))).toEqual([]);
    expect(caught).toContain('no-cycles in packages/sdk/src/planted-a.ts');
  });
});
