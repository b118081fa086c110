/** Which hosts and sockets sandboxed commands reach. */
export type SandboxNetworkConfig = {
  allowedDomains?: string[] | undefined;
  deniedDomains?: string[] | undefined;
  strictAllowlist?: boolean | undefined;
  allowManagedDomainsOnly?: boolean | undefined;
  allowUnixSockets?: string[] | undefined;
  allowAllUnixSockets?: boolean | undefined;
  allowLocalBinding?: boolean | undefined;
  allowMachLookup?: string[] | undefined;
  httpProxyPort?: number | undefined;
  socksProxyPort?: number | undefined;
  tlsTerminate?: { caCertPath?: string | undefined; caKeyPath?: string | undefined } | undefined;
};

/** Which files sandboxed commands reach. */
export type SandboxFilesystemConfig = {
  allowWrite?: string[] | undefined;
  denyWrite?: string[] | undefined;
  denyRead?: string[] | undefined;
  allowRead?: string[] | undefined;
  allowManagedReadPathsOnly?: boolean | undefined;
  disabled?: boolean | undefined;
};

type Secret = {
  mode: 'deny' | 'mask';
  extract?: string | undefined;
  onExtractNoMatch?: 'deny' | 'error' | 'warn' | undefined;
  decode?: 'jwt' | undefined;
  maskClaims?: string[] | undefined;
  injectHosts?: string[] | undefined;
};

/** Which secrets sandboxed commands do not see. */
export type SandboxCredentialsConfig = {
  files?: (Secret & { path: string; maskDuplicates?: boolean | undefined })[] | undefined;
  envVars?: (Secret & { name: string })[] | undefined;
  allowPlaintextInject?: boolean | undefined;
  awsPairs?: { accessKeyIdVar: string; secretAccessKeyVar: string; sessionTokenVar?: string | undefined }[] | undefined;
  sigv4?:
    | {
        streaming?: 'deny' | 'passthrough' | undefined;
        presigned?: 'deny' | 'passthrough' | undefined;
        sigv4a?: 'deny' | 'passthrough' | undefined;
      }
    | undefined;
};

export type SandboxIgnoreViolations = Record<string, string[]>;

/** How commands are fenced in. */
export type SandboxSettings = {
  [key: string]: unknown;
  enabled?: boolean | undefined;
  failIfUnavailable?: boolean | undefined;
  autoAllowBashIfSandboxed?: boolean | undefined;
  allowUnsandboxedCommands?: boolean | undefined;
  network?: SandboxNetworkConfig | undefined;
  filesystem?: SandboxFilesystemConfig | undefined;
  credentials?: SandboxCredentialsConfig | undefined;
  ignoreViolations?: SandboxIgnoreViolations | undefined;
  enableWeakerNestedSandbox?: boolean | undefined;
  allowNestedUserNamespaces?: boolean | undefined;
  enableWeakerNetworkIsolation?: boolean | undefined;
  allowAppleEvents?: boolean | undefined;
  excludedCommands?: string[] | undefined;
  ripgrep?: { command: string; args?: string[] | undefined } | undefined;
  bwrapPath?: string | undefined;
  socatPath?: string | undefined;
};
