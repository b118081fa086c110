import type { HermeticHome } from './home.ts';

export interface HermeticEnvOptions {
  /** The loopback model, or another server; the CLI has no other address. */
  readonly loopback: { readonly url: string };
  readonly home: Pick<HermeticHome, 'home' | 'tmp'>;
  /** Applied last; `undefined` removes a variable. */
  readonly extra?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A whole environment for the CLI. Of the running process's own it holds `PATH`, and on Windows `SystemRoot`. */
export function hermeticEnv({ loopback, home, extra = {} }: HermeticEnvOptions): Record<string, string> {
  const env: Record<string, string | undefined> = {
    PATH: process.env['PATH'],
    ...(process.platform === 'win32' ? windows(home) : { HOME: home.home, TMPDIR: home.tmp }),
    ANTHROPIC_BASE_URL: loopback.url,
    ANTHROPIC_API_KEY: 'sk-hexagent-loopback',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    ...extra,
  };
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function windows({ home, tmp }: Pick<HermeticHome, 'home' | 'tmp'>): Record<string, string | undefined> {
  // Without SystemRoot no Windows program opens a socket.
  return { SystemRoot: process.env['SystemRoot'], HOME: home, USERPROFILE: home, TEMP: tmp, TMP: tmp };
}
