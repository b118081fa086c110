// Copied by packed.mjs into the empty project and run there by each Node: the quickstart as printed, with the real CLI
// and a scripted model, everything from the tarballs. It must run on Node 20.19.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hermeticEnv, hermeticHome } from '@hexagent/testing/cli';
import { startLoopback } from '@hexagent/testing/loopback';

const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(['42'])]);
try {
  const env = hermeticEnv({ loopback, home, extra: { CLAUDE_CODE_PATH: process.env.CLAUDE_CODE_PATH } });
  const { stdout } = await promisify(execFile)(process.execPath, ['quickstart.mjs'], { env });
  assert.match(stdout, /^42$/m);
} finally {
  await loopback.close();
  await home.remove();
}
