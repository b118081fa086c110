import { describe, expect, it } from 'vitest';
import { projectFolder } from '../src/index.ts';

describe('The folder of a project', () => {
  it.each([
    ['/home/me/my.project', '-home-me-my-project'],
    ['/a/\u{1F600}b', '-a---b'],
    ['/e\u0301', '-e-'],
    ['C:\\Users\\Me', 'C--Users-Me'],
  ])('of %s is %s', (path, name) => {
    expect(projectFolder(path)).toBe(name);
  });

  it('has at most 200 characters of a long path, and a number made of all of it', () => {
    expect(projectFolder(`/${'a'.repeat(199)}`)).toBe(`-${'a'.repeat(199)}`);
    expect(projectFolder(`/${'a'.repeat(300)}`)).toMatch(/^-a{199}-[0-9a-z]{4,7}$/);
    expect(projectFolder(`/${'a'.repeat(300)}x`)).not.toBe(projectFolder(`/${'a'.repeat(300)}y`));
  });
});
