// Bundles programs with every bundler in every format and runs each bundle on every Node that we promise. CI does a part
// of it, in packed.mjs. Build first.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { checkBundles } from './bundles.mjs';
import { cliExecutable, emptyProject, install } from './empty-project.mjs';
import { installedNodes } from './nodes.mjs';
import { reporter } from './reporter.mjs';
import { packAll } from './tarballs.mjs';

const nodes = installedNodes();
const project = emptyProject(packAll());
try {
  install(project);
  await checkBundles({
    modules: path.join(project, 'node_modules'),
    cli: await cliExecutable(),
    formats: ['esm', 'cjs'],
    nodesFor: () => nodes,
    report: reporter(),
  });
} finally {
  rmSync(project, { recursive: true, force: true });
}
