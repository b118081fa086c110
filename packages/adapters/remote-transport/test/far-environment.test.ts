import { describe, expect, it } from 'vitest';
import { farEnvironment } from '../src/far-environment.ts';

describe('The environment of an agent elsewhere', () => {
  it('has nothing that describes this machine, but what the program has set anew', () => {
    const own = { PATH: '/here', HOME: '/me', LC_ALL: 'C', KEY: 'k', SSL_CERT_FILE: '/certs' };
    expect(farEnvironment({ ...own, HOME: '/there', ANTHROPIC_API_KEY: 'made-up' }, own)).toEqual({
      HOME: '/there',
      KEY: 'k',
      ANTHROPIC_API_KEY: 'made-up',
    });
  });

  it('leaves out what this process has and no shell can set, and refuses it where the program has set it', () => {
    expect(farEnvironment({ 'a.b': '1', UID: '0' }, { 'a.b': '1', UID: '0' })).toEqual({});
    for (const name of ['a.b', 'UID', '1a', ''])
      expect(() => farEnvironment({ [name]: '1' }, {})).toThrow(/cannot be sent/);
  });
});
