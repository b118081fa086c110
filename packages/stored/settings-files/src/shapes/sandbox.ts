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

/** What counts where a part of a policy cannot be read as a whole. */
const strictNetwork = {
  strictAllowlist: true,
  allowManagedDomainsOnly: true,
  allowAllUnixSockets: false,
  allowLocalBinding: false,
};
const strictFilesystem = { allowManagedReadPathsOnly: true, disabled: false };
const strictRequests = { streaming: 'deny', presigned: 'deny', sigv4a: 'deny' };
const strictCredentials = { allowPlaintextInject: false, sigv4: strictRequests };
const strictWindows = { backend: 'sandboxuser' };
const off = closing(flag, false);

const network: Shape = closing(
  deniesFirst(
    object(
      {
        allowedDomains: listOfSome(text),
        deniedDomains: listOfSome(text),
        strictAllowlist: closing(flag, true),
        allowManagedDomainsOnly: closing(flag, true),
        allowUnixSockets: listOfSome(text),
        allowAllUnixSockets: off,
        allowLocalBinding: off,
        allowMachLookup: listOfSome(text),
        httpProxyPort: number(),
        socksProxyPort: number(),
        tlsTerminate: object({ caCertPath: someText, caKeyPath: someText }),
      },
      { fieldByField: true },
    ),
    { denying: ['deniedDomains'], allowing: ['allowedDomains'] },
  ),
  strictNetwork,
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
        disabled: off,
      },
      { fieldByField: true },
    ),
    { denying: ['denyRead', 'denyWrite'], allowing: ['allowRead', 'allowWrite'] },
  ),
  strictFilesystem,
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
        strictRequests,
        { unless: [] },
      ),
    },
    { fieldByField: true },
  ),
  strictCredentials,
);

export const sandboxShape: Shape = closing(
  object(
    {
      enabled: closing(flag, true),
      failIfUnavailable: flag,
      autoAllowBashIfSandboxed: off,
      allowUnsandboxedCommands: off,
      network,
      filesystem,
      credentials,
      windows: notEmptied(
        closing(
          object({ backend: closing(oneOf('sandboxuser'), 'sandboxuser') }, { fieldByField: true }),
          strictWindows,
        ),
      ),
      ignoreViolations: record(list(text)),
      enableWeakerNestedSandbox: off,
      allowNestedUserNamespaces: off,
      enableWeakerNetworkIsolation: off,
      allowAppleEvents: off,
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
    network: strictNetwork,
    filesystem: strictFilesystem,
    credentials: strictCredentials,
    windows: strictWindows,
    enableWeakerNestedSandbox: false,
    allowNestedUserNamespaces: false,
    enableWeakerNetworkIsolation: false,
    allowAppleEvents: false,
  },
);
