import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder of the running test, removed with it. */
export function testFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hexagent-tapes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
