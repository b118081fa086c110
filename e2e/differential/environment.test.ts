import { afterEach, describe, expect, it } from 'vitest';
import { envOf } from './comparable.ts';
import { compare, type Program } from './run.ts';

const withEnv =
  (env: Readonly<Record<string, string>>): Program =>
  ({ query }, { options }) =>
    query({ prompt: 'hello', options: { ...options, env: { ...options.env, ...env } } });

/** What both packages give the agent, without the folders of a run. */
async function environments(env: Readonly<Record<string, string>>): Promise<readonly [official: object, ours: object]> {
  const { official, ours } = await compare(withEnv(env));
  const [theirs = {}, our = {}] = [official, ours].map(({ launches: [launch] }) => {
    const { HOME: _, ...kept } = launch === undefined ? {} : envOf(launch);
    return kept;
  });
  return [theirs, our];
}

describe('The variables that the package adds', () => {
  it.each<Readonly<Record<string, string>>>([
    {},
    { CLAUDE_AGENT_SDK_VERSION: 'mine' },
    { CLAUDE_CODE_ENTRYPOINT: 'my-app' },
    { CLAUDE_CODE_SDK_READS_SESSION_STATE: '0' },
  ])('are the same beside %o', async (env) => {
    const [official, ours] = await environments(env);
    expect(official).toHaveProperty('CLAUDE_AGENT_SDK_VERSION');
    expect(ours).toEqual(official);
  });
});

describe('The active span of a program with OpenTelemetry', () => {
  const registry = Symbol.for('opentelemetry.js.api.1');
  afterEach(() => Reflect.deleteProperty(globalThis, registry));

  /** What `@opentelemetry/api` holds once a program has registered a propagator. */
  function register(inject: (context: unknown, carrier: object, setter: Setter) => void): void {
    const context = { active: () => ({ getValue: () => undefined }), with: () => {} };
    Reflect.set(globalThis, registry, { version: '1.9.0', context, propagation: { inject } });
  }

  it.each<Readonly<Record<string, string>>>([{}, { TRACEPARENT: 'own' }, { TRACESTATE: 'own' }])(
    'is the parent of the agent, where the program sets none: %o',
    async (env) => {
      register((_, carrier, { set }) => {
        set(carrier, 'traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
        set(carrier, 'tracestate', 'a=b');
      });
      const [official, ours] = await environments(env);
      expect(official).toMatchObject({
        TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        TRACESTATE: 'a=b',
        ...env,
      });
      expect(ours).toEqual(official);
    },
  );

  it('does not keep the agent from starting when the propagator throws', async () => {
    register(() => {
      throw new Error('no exporter');
    });
    const [, ours] = await environments({});
    expect(ours).toMatchObject({ CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' });
    expect(ours).not.toHaveProperty('TRACEPARENT');
  });
});

interface Setter {
  set(carrier: object, name: string, value: string): void;
}
