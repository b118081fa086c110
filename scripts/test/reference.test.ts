import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../workspace.mjs';
import { copyOfWorkspace } from './planted.ts';

it('The reference is refused when a doc comment has changed, and the change is shown', () => {
  using workspace = copyOfWorkspace();
  cpSync(path.join(root, 'docs/reference'), path.join(workspace.dir, 'docs/reference'), { recursive: true });
  const file = 'packages/sdk/src/format-cost.ts';
  workspace.write(file, workspace.read(file).replace('/**', '/** Planted.'));
  const { status, output } = workspace.run('npm', 'run', 'reference');
  expect(output.match(/^[-+](?![-+]).*$/gm)).toEqual([expect.any(String), expect.stringMatching(/^\+Planted\./)]);
  expect(output).toContain('pnpm reference --update');
  expect(status).not.toBe(0);
}, 240_000);
