import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { remedies } from '../../packages/ports/src/errors.ts';
import { errorsPage, happenings, page } from '../errors-page.mjs';

describe('The page of errors', () => {
  it('is what scripts/errors-page.mjs writes now', () => {
    expect(readFileSync(page, 'utf8')).toBe(errorsPage());
  });

  it('has for every code what happened and what to do, and no other code', () => {
    expect(Object.keys(happenings).toSorted()).toEqual(Object.keys(remedies).toSorted());
    for (const code of Object.keys(remedies)) expect(errorsPage()).toContain(`### ${code}\n`);
    for (const remedy of Object.values(remedies)) expect(errorsPage()).toContain(`Remedy: ${remedy}\n`);
  });
});
