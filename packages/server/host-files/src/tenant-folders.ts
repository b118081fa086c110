import { realpath } from 'node:fs/promises';
import { join, relative, isAbsolute, resolve, sep } from 'node:path';
import { errorText, isName, shown } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import { makeFolder } from '@hexagent/processes';
import { checkFolder } from './files-options.ts';

/** The folders of one tenant, and the variables that lead its agents there. */
export interface TenantFolders {
  /** Everything of the tenant is below. */
  readonly root: string;
  /** Where its agents may work. */
  readonly work: string;
  /** `HOME`, `TMPDIR` and `CLAUDE_CONFIG_DIR`, for `env: { set }` of a session. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The real path of a working directory below `work`, which is made. Links are followed before it is compared.
   * @throws {SdkError} `CWD_MISSING` for one that lies elsewhere, or cannot be made.
   * @throws {TypeError} for a path that is ill-formed text.
   */
  cwd(path?: string): Promise<string>;
}

/**
 * Makes the folders of a tenant below `folder`: home, configuration of the CLI, temporary files, work. They can be read by
 * this user alone. A process of this user can leave them: this prevents mix-ups between tenants, and is no protection
 * against an attack.
 * @throws {TypeError} for a tenant whose name is not a text, empty, or ill-formed: it could be that of another.
 */
export async function tenantFolders(folder: string, tenant: string): Promise<TenantFolders> {
  checkFolder(folder);
  if (!isName(tenant))
    throw new TypeError(`\`tenant\` must be a well-formed text that is not empty, not ${shown(tenant)}.`);
  makeFolder(folder);
  const root = join(await realpath(folder), nameOf(tenant));
  const [home, config, temporary, work] = ['home', 'config', 'tmp', 'work'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ]; // four names result in four paths
  for (const path of [home, config, temporary, work]) makeFolder(path);
  return {
    root,
    work,
    env: { HOME: home, CLAUDE_CONFIG_DIR: config, TMPDIR: temporary },
    cwd: async (path = '.') => await below(work, path),
  };
}

/** Escapes the bytes that have a meaning in paths, so that no two tenants share a folder. */
function nameOf(tenant: string): string {
  return `t-${Buffer.from(tenant, 'utf8').toString('hex')}`;
}

async function below(work: string, path: string): Promise<string> {
  if (path !== '' && !isName(path))
    throw new TypeError(`A working directory must be well-formed text, not ${shown(path)}.`);
  const target = resolve(work, path);
  // Nothing is made outside: what exists of the path is resolved first.
  let existing = target;
  for (;;) {
    const real = await realpath(existing).catch(() => undefined);
    if (real !== undefined) {
      if (!isBelow(work, real)) throw elsewhere(path);
      break;
    }
    existing = resolve(existing, '..');
  }
  try {
    makeFolder(target);
  } catch (cause) {
    throw new SdkError('CWD_MISSING', `The working directory ${path} could not be made: ${errorText(cause)}`, {
      cause,
    });
  }
  const real = await realpath(target);
  if (!isBelow(work, real)) throw elsewhere(path);
  return real;
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

function elsewhere(path: string): SdkError {
  return new SdkError('CWD_MISSING', `The working directory ${path} is not below the folder of its tenant.`);
}
