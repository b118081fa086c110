import { describe, expect, it } from 'vitest';
import type { Options } from '@hexagent/official-api/official';
import { start } from './start.ts';

const fail = (): never => {
  throw new RangeError('thrown by the program');
};
const throwingGetter = (): object => Object.defineProperty({}, 'type', { get: fail, enumerable: true });
const throwingProxy = (): object =>
  new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail });
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
/** Claims to be a list of any length. */
const endless = (): object =>
  new Proxy([], { get: (list, name) => (name === 'length' ? 1e15 : (Reflect.get(list, name) as unknown)) });

const names = [
  'abortController',
  'additionalDirectories',
  'agents',
  'allowedTools',
  'betas',
  'canUseTool',
  'env',
  'extraArgs',
  'hooks',
  'mcpServers',
  'model',
  'outputFormat',
  'plugins',
  'resume',
  'sandbox',
  'settings',
  'settingSources',
  'systemPrompt',
  'thinking',
  'tools',
];
const makers = { throwingGetter, throwingProxy, revoked, endless };
const cases = names.flatMap((name) => Object.entries(makers).map(([kind, make]) => ({ name, kind, make })));

describe('An option that cannot be read', () => {
  it.each(cases)('is refused by name: $name as $kind', ({ name, make }) => {
    // Wrong on purpose.
    const options = { [name]: make() } as Options;
    const named = expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(`^\`${name}\` `) });
    expect(() => start('Hello', options)).toThrow(named);
    const inside = { [name]: { inside: [make()] } } as Options; // wrong on purpose
    expect(() => start('Hello', inside)).toThrow(named);
  });

  it('is refused where it is the whole of them', () => {
    expect(() => start('Hello', throwingProxy())).toThrow('`options` cannot be read');
    expect(() => start('Hello', revoked())).toThrow('`options` cannot be read');
  });

  it('is none where an object has a class, refers to itself, or is long', () => {
    class Store {
      get secret(): never {
        return fail();
      }
    }
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const options = { unknown: { store: new Store(), cyclic, long: Array.from({ length: 100_000 }, () => ['x']) } };
    expect(() => start('Hello', options as Options)).not.toThrow();
  });
});
