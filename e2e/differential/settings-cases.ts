import type { Settings } from '@hexagent/sdk/claude-agent-sdk';
import { everySetting } from '../support/every-setting.ts';

type Path = readonly (string | number)[];

/** A value for every key, with every part of the sandbox, of which `everySetting` has what leaves an agent running. */
const wholeSettings: Settings = {
  ...everySetting,
  sandbox: {
    enabled: true,
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: true,
    allowUnsandboxedCommands: true,
    network: {
      allowedDomains: ['a'],
      deniedDomains: ['b'],
      strictAllowlist: true,
      allowManagedDomainsOnly: true,
      allowUnixSockets: ['c'],
      allowAllUnixSockets: true,
      allowLocalBinding: true,
      allowMachLookup: ['d'],
      httpProxyPort: 1,
      socksProxyPort: 2,
      tlsTerminate: { caCertPath: 'e', caKeyPath: 'f' },
    },
    filesystem: {
      allowWrite: ['a'],
      denyWrite: ['b'],
      denyRead: ['c'],
      allowRead: ['d'],
      allowManagedReadPathsOnly: true,
      disabled: true,
    },
    credentials: {
      files: [{ path: 'p', mode: 'mask', maskDuplicates: true, extract: '(e)', onExtractNoMatch: 'deny' }],
      envVars: [{ name: 'N', mode: 'mask', decode: 'jwt', maskClaims: ['a'], injectHosts: ['h'] }],
      allowPlaintextInject: true,
      awsPairs: [{ accessKeyIdVar: 'A', secretAccessKeyVar: 'B', sessionTokenVar: 'C' }],
      sigv4: { streaming: 'deny', presigned: 'passthrough', sigv4a: 'deny' },
    },
    ignoreViolations: { a: ['b'] },
    enableWeakerNestedSandbox: true,
    allowNestedUserNamespaces: true,
    enableWeakerNetworkIsolation: true,
    allowAppleEvents: true,
    excludedCommands: ['a'],
    ripgrep: { command: 'a', args: ['b'] },
    bwrapPath: '/a',
    socatPath: '/b',
    windows: { backend: 'sandboxuser' },
  },
};

const absent: unique symbol = Symbol('absent');
const oddAnywhere = [null, 5, ['x', 5], absent];
const oddAtTheTop = [false, '', 'x', [], {}, { x: null }];

/** Settings with one key each: as they should be, and with a wrong value in each place. */
export function* settingsCases(): Generator<Settings> {
  for (const [key, value] of Object.entries(wholeSettings)) {
    const whole: Settings = { [key]: value };
    yield whole;
    for (const odd of oddAtTheTop) yield { [key]: odd };
    for (const path of pathsIn(whole)) for (const odd of oddAnywhere) yield changed(whole, path, odd);
  }
}

/** Where something is; of texts in a list only the first, since the others are read alike. */
function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  const items = Object.entries(value);
  const isListOfTexts = Array.isArray(value) && value.every((each) => typeof each === 'string');
  for (const [name, each] of isListOfTexts ? items.slice(0, 1) : items) yield* pathsIn(each, [...path, name]);
}

function changed(settings: Settings, path: Path, odd: unknown): Settings {
  const copy = structuredClone(settings);
  let holder: object = copy;
  for (const name of path.slice(0, -1)) holder = Reflect.get(holder, name) as object;
  const last = path.at(-1) ?? '';
  if (odd !== absent) Reflect.set(holder, last, odd);
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder, last);
  return copy;
}
