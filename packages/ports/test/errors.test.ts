import { describe, expect, it } from 'vitest';
import { AbortError, AgentExitedError, remedies, SdkError } from '@hexagent/ports';

const exit = { code: 3, signal: null, stderr: 'last words', closed: false };

describe('An error of the SDK', () => {
  it('carries a stable code, its remedy and its cause', () => {
    const cause = new Error('below');
    const error = new SdkError('CWD_MISSING', 'No folder x.', { cause });
    expect(error).toMatchObject({
      name: 'SdkError',
      code: 'CWD_MISSING',
      remedy: remedies.CWD_MISSING,
      message: 'No folder x.',
      cause,
    });
  });

  it('is recognised when another copy of this package made it', () => {
    const foreign = Object.assign(new Error('from another copy'), {
      [Symbol.for('@hexagent/ports/SdkError')]: true,
      code: 'CWD_MISSING',
    });
    expect(SdkError.is(foreign)).toBe(true);
    expect(SdkError.is(new Error('any other'))).toBe(false);
    expect(SdkError.is(undefined)).toBe(false);
  });

  it('is distinguished from anything else that can be thrown, proxies that throw included', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [proxy, null, 'text', Symbol('s'), () => {}]) expect(SdkError.is(thrown)).toBe(false);
  });

  it('about an agent that left has how it left, and what was lost', () => {
    const error = new AgentExitedError('gone', { exit, lost: ['turn a'] });
    expect(SdkError.is(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'AgentExitedError',
      code: 'AGENT_EXITED',
      exitCode: 3,
      signal: null,
      stderr: 'last words',
      lost: ['turn a'],
    });
  });

  it('#26 about an abort has the name that everybody checks, and keeps the reason', () => {
    expect(new AbortError('stopped', { cause: 'why' })).toMatchObject({ name: 'AbortError', cause: 'why' });
  });

  it.each(Object.entries(remedies))('%s has a remedy that is a sentence', (_, remedy) => {
    expect(remedy).toMatch(/^[A-Z].*\.$/);
  });
});

describe('instanceof', () => {
  class Mine extends SdkError {}

  it('distinguishes the errors, also those of a class of your own', () => {
    const mine = new Mine('FRAME_INVALID', 'x');
    expect(mine instanceof SdkError && mine instanceof Mine).toBe(true);
    expect(new SdkError('FRAME_INVALID', 'x') instanceof Mine).toBe(false);
    expect(new SdkError('AGENT_EXITED', 'x') instanceof AgentExitedError).toBe(false);
    expect(new AgentExitedError('x', { exit }) instanceof SdkError).toBe(true);
    expect(new AgentExitedError('x', { exit }) instanceof AbortError).toBe(false);
    expect(new AbortError() instanceof SdkError).toBe(false);
  });

  it('holds for what another copy of the package throws, and for nothing else', () => {
    const other = (...brands: string[]): object =>
      Object.fromEntries(brands.map((name) => [Symbol.for(`@hexagent/ports/${name}`), true]));
    expect(other('SdkError') instanceof SdkError).toBe(true);
    expect(other('SdkError', 'AgentExitedError') instanceof AgentExitedError).toBe(true);
    expect(other('AbortError') instanceof AbortError).toBe(true);
    const hostile = new Proxy({}, { get: () => expect.fail('It was read.') });
    for (const value of [new Error('x'), {}, null, undefined, 'text', hostile]) {
      for (const type of [SdkError, AgentExitedError, AbortError]) expect(value instanceof type).toBe(false);
    }
  });
});
