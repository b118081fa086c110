import type { SessionOptions } from '@hexagent/sdk';
import { hermeticEnv, hermeticHome, type HermeticHome } from '@hexagent/testing/cli';
import { startLoopback, type Loopback, type Script } from '@hexagent/testing/loopback';
import { cli } from './cli.ts';

/** A clean place for one test: a home, a folder to work in, a scripted model, and the options that lead there. */
export interface Stage extends AsyncDisposable {
  readonly home: HermeticHome;
  readonly loopback: Loopback;
  readonly env: Readonly<Record<string, string>>;
  /** For `openSession` and `ask`. */
  readonly options: SessionOptions & { readonly executable: string };
}

export async function stage(script: Script = [], extra: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
  const env = hermeticEnv({ loopback, home, extra });
  return {
    home,
    loopback,
    env,
    options: { cwd: home.cwd, executable: cli, env: { policy: 'exact', set: env } },
    async [Symbol.asyncDispose]() {
      await loopback.close();
      await home.remove();
    },
  };
}
