import { join } from 'node:path';
import { runWithPipes, type RunningProgram } from '../support/running-program.ts';
import type { Stage } from '../support/stage.ts';
import { fromSources, root } from './example-programs.ts';

const quickstart = join(root, 'examples/quickstart/quickstart.mjs');

export const runQuickstart = (place: Stage): RunningProgram =>
  runWithPipes(fromSources(quickstart), { cwd: place.home.cwd, env: place.env });
