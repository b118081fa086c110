import { isRecord } from '@hexagent/checks';
import { deniesFirst, notEmptied, object, record } from './objects.ts';
import {
  closing,
  type Fields,
  flag,
  lenient,
  list,
  listOfPolicy,
  listOfSome,
  matching,
  number,
  type Shape,
  someText,
  text,
  unreadable,
  oneOf,
} from './shape.ts';

const network: Shape = closing(
  deniesFirst(
    object(
      {
        allowedDomains: listOfSome(text),
        deniedDomains: listOfSome(text),
        strictAllowlist: closing(flag, true),
        allowManagedDomainsOnly: closing(flag, true),
        allowUnixSockets: listOfSome(text),
        allowAllUnixSockets: closing(flag, false),
        allowLocalBinding: closing(flag, false),
        allowMachLookup: listOfSome(text),
        httpProxyPort: number(),
        socksProxyPort: number(),
        tlsTerminate: object({ caCertPath: someText, caKeyPath: someText }),
      },
      { fieldByField: true },
    ),
    { denying: ['deniedDomains'], allowing: ['allowedDomains'] },
  ),
  { strictAllowlist: true, allowManagedDomainsOnly: true, allowAllUnixSockets: false, allowLocalBinding: false },
);

const filesystem: Shape = closing(
  deniesFirst(
    object(
      {
        allowWrite: listOfSome(text),
        denyWrite: listOfSome(text),
        denyRead: listOfSome(text),
        allowRead: listOfSome(text),
        allowManagedReadPathsOnly: closing(flag, true),
        disabled: closing(flag, false),
      },
      { fieldByField: true },
    ),
    { denying: ['denyRead', 'denyWrite'], allowing: ['allowRead', 'allowWrite'] },
  ),
  { allowManagedReadPathsOnly: true, disabled: false },
);

const secret: Fields = {
  mode: oneOf('deny', 'mask'),
  extract: text,
  onExtractNoMatch: oneOf('deny', 'error', 'warn'),
  decode: oneOf('jwt'),
  maskClaims: list(text),
  injectHosts: list(text),
};

/** A secret that is replaced must name the part to replace; one that is denied needs no more. */
const secretNamed =
  (shape: Shape, name: 'path' | 'name'): Shape =>
  (value, author) => {
    const read = shape(value, author);
    if (isRecord(read) && (read['mode'] === 'deny' || isReplaceable(read))) return read;
    // Of a policy, a secret of which it cannot be read how it is replaced is denied.
    if (author === 'person' || !isRecord(value) || value['mode'] !== 'mask') return unreadable;
    return shape({ [name]: value[name], mode: 'deny' }, author);
  };

function isReplaceable({ path, extract, decode, maskClaims }: { readonly [name: string]: unknown }): boolean {
  if (extract !== undefined && (!hasGroup(extract) || (decode !== undefined && path === undefined))) return false;
  return maskClaims === undefined || (decode !== undefined && isNamed(maskClaims));
}

const isNamed = (claims: unknown): boolean => Array.isArray(claims) && claims.length > 0 && !claims.includes('');

function hasGroup(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return (new RegExp(`${pattern}|`).exec('')?.length ?? 0) > 1;
  } catch {
    return false;
  }
}

const variable = matching(/^[A-Za-z_]\w*$/);
const handling = closing(oneOf('deny', 'passthrough'), 'deny', { unless: [] });

const credentials: Shape = closing(
  object(
    {
      files: closing(
        listOfPolicy(
          secretNamed(object({ ...secret, path: someText, maskDuplicates: flag }, { needs: ['path', 'mode'] }), 'path'),
        ),
        [],
        { unless: [] },
      ),
      envVars: closing(
        listOfPolicy(secretNamed(object({ ...secret, name: variable }, { needs: ['name', 'mode'] }), 'name')),
        [],
        { unless: [] },
      ),
      allowPlaintextInject: closing(flag, false, { unless: [] }),
      awsPairs: closing(
        listOfPolicy(
          object(
            { accessKeyIdVar: variable, secretAccessKeyVar: variable, sessionTokenVar: variable },
            { needs: ['accessKeyIdVar', 'secretAccessKeyVar'] },
          ),
        ),
        [],
      ),
      sigv4: closing(
        object({ streaming: handling, presigned: handling, sigv4a: handling }, { fieldByField: true }),
        { streaming: 'deny', presigned: 'deny', sigv4a: 'deny' },
        { unless: [] },
      ),
    },
    { fieldByField: true },
  ),
  { allowPlaintextInject: false, sigv4: { streaming: 'deny', presigned: 'deny', sigv4a: 'deny' } },
);

export const sandboxShape: Shape = closing(
  object(
    {
      enabled: closing(flag, true),
      failIfUnavailable: flag,
      autoAllowBashIfSandboxed: closing(flag, false),
      allowUnsandboxedCommands: closing(flag, false),
      network,
      filesystem,
      credentials,
      windows: notEmptied(
        closing(object({ backend: closing(oneOf('sandboxuser'), 'sandboxuser') }, { fieldByField: true }), {
          backend: 'sandboxuser',
        }),
      ),
      ignoreViolations: record(list(text)),
      enableWeakerNestedSandbox: closing(flag, false),
      allowNestedUserNamespaces: closing(flag, false),
      enableWeakerNetworkIsolation: closing(flag, false),
      allowAppleEvents: closing(flag, false),
      excludedCommands: listOfSome(text),
      ripgrep: object({ command: text, args: list(text) }, { needs: ['command'] }),
      bwrapPath: lenient(matching(/^\//)),
      socatPath: lenient(matching(/^\//)),
    },
    { keepsOthers: true, fieldByField: true },
  ),
  {
    autoAllowBashIfSandboxed: false,
    allowUnsandboxedCommands: false,
    network: {
      strictAllowlist: true,
      allowManagedDomainsOnly: true,
      allowAllUnixSockets: false,
      allowLocalBinding: false,
    },
    filesystem: { allowManagedReadPathsOnly: true, disabled: false },
    credentials: { allowPlaintextInject: false, sigv4: { streaming: 'deny', presigned: 'deny', sigv4a: 'deny' } },
    windows: { backend: 'sandboxuser' },
    enableWeakerNestedSandbox: false,
    allowNestedUserNamespaces: false,
    enableWeakerNetworkIsolation: false,
    allowAppleEvents: false,
  },
);
