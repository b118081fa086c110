// Holds the public surface of each door to its committed report, `api/ENTRY.api.md` in its package, by API Extractor.
// `pnpm pins` checks the last build; `pnpm pins --update` rewrites the reports, for a change that is meant.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { publishedPackages, root } from './workspace.mjs';

/** What a program or an adapter imports, with the packages whose types stand in its reports: they have none of their own. */
const doors = {
  '@hexagent/sdk': ['@hexagent/!(ports)'],
  '@hexagent/claude-agent-sdk': [],
  '@hexagent/chat': ['@hexagent/!(ports|sdk)'],
  '@hexagent/ports': [],
  '@hexagent/testing': [],
};

const update = process.argv.includes('--update');
const base = path.resolve(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? root);
const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  types: ['node'],
  typeRoots: [path.join(root, 'packages/sdk/node_modules/@types')],
  skipLibCheck: true,
  strict: true,
};
/** The version of the compiler, told for each entry. */
const messageCallback = (message) => (message.handled ||= message.messageId === 'console-preamble');
const silent = { default: { logLevel: 'none' } };

/** One for each set of types: an entry that has those of another has no report. */
function configsOf({ name, dir, manifest }) {
  const types = new Set(Object.values(manifest.exports).flatMap((target) => target.types ?? []));
  return [...types].map((file) => {
    const entry = path.join(dir, file);
    if (!existsSync(entry)) throw new Error(`${entry} has not been built: pnpm build`);
    mkdirSync(path.join(dir, 'api'), { recursive: true });
    return ExtractorConfig.prepare({
      packageJsonFullPath: path.join(dir, 'package.json'),
      configObject: {
        projectFolder: dir,
        mainEntryPointFilePath: entry,
        bundledPackages: doors[name],
        newlineKind: 'lf',
        compiler: { overrideTsconfig: { compilerOptions, files: [...types] } },
        apiReport: {
          enabled: true,
          includeForgottenExports: true,
          reportFileName: path
            .relative('dist', file)
            .replace(/\.d\.ts$/, '')
            .replaceAll(path.sep, '-'),
          reportFolder: path.join(dir, 'api'),
          reportTempFolder: path.join(dir, 'node_modules/.cache/api'),
        },
        messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
      },
    });
  });
}

let changed = 0;
for (const door of publishedPackages(base).filter(({ name }) => name in doors)) {
  const configs = configsOf(door);
  const [first, ...others] = configs;
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  for (const config of configs) {
    const result = Extractor.invoke(config, {
      compilerState,
      localBuild: update,
      printApiReportDiff: !update,
      messageCallback,
    });
    if (result.apiReportChanged || result.errorCount > 0) changed += 1;
  }
}
if (update) console.log(`${changed} reports rewritten.`);
else if (changed > 0) {
  console.error('The public surface differs from its report. If that is meant: pnpm pins --update, and commit `api`.');
  process.exitCode = 1;
}
