import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { debugFile } from '../src/own-environment.ts';

describe('The log of DEBUG_CLAUDE_AGENT_SDK', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('is not written without the variable', () => {
    vi.stubEnv('DEBUG_CLAUDE_AGENT_SDK', '');
    expect(debugFile()).toBeUndefined();
  });

  it('is one file in the folder of the CLI, which is printed once', () => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.stubEnv('DEBUG_CLAUDE_AGENT_SDK', '1');
    vi.stubEnv('CLAUDE_CONFIG_DIR', path.resolve('/config'));
    const file = debugFile();
    expect(path.dirname(file ?? '')).toBe(path.resolve('/config/debug'));
    expect(path.basename(file ?? '')).toMatch(/^sdk-[0-9a-f-]{36}\.txt$/);
    expect(debugFile()).toBe(file);
    expect(printed.mock.calls).toEqual([[`SDK debug logs: ${file}\n`]]);
  });
});
