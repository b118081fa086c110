import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../src/claude-agent-sdk.ts';

describe('resolveSettings()', () => {
  it.each<[unknown, string]>([
    [null, 'options'],
    ['x', 'options'],
    [{ cwd: 5 }, 'cwd'],
    [{ settingSources: 'user' }, 'settingSources'],
    [{ managedSettings: 'x' }, 'managedSettings'],
    [{ serverManagedSettings: [1] }, 'serverManagedSettings'],
  ])('throws for invalid options, naming them: %j', async (options, name) => {
    const resolving = resolveSettings(options as never);
    await expect(resolving).rejects.toThrow(TypeError);
    await expect(resolving).rejects.toThrow(`\`${name}\` of \`resolveSettings()\` is`);
  });
});
