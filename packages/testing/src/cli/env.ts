export interface HermeticEnvOptions {
  /** The loopback model, or anything else with its address. The CLI reaches nothing beside it. */
  readonly loopback: { readonly url: string };
  readonly home: { readonly home: string };
  /** Set last, over everything else; `undefined` takes a variable away. */
  readonly extra?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The whole environment of a hermetic run: of the running process's own, only `PATH` (and what Windows cannot start without). */
export function hermeticEnv({ loopback, home, extra = {} }: HermeticEnvOptions): Record<string, string> {
  const env: Record<string, string | undefined> = {
    PATH: process.env['PATH'],
    SystemRoot: process.env['SystemRoot'],
    HOME: home.home,
    ...(process.platform === 'win32' ? { USERPROFILE: home.home } : {}),
    ANTHROPIC_BASE_URL: loopback.url,
    ANTHROPIC_API_KEY: 'sk-hexagent-loopback',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    ...extra,
  };
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
