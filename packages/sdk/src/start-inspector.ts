import { pathToFileURL } from 'node:url';
import { errorText } from '@hexagent/checks';
import { warnProcess } from '@hexagent/processes';
import { installedFile } from './installed-file.ts';

/** The used part of `@hexagent/inspector`, which is not installed with this package. */
interface InspectorModule {
  inspect(options: { readonly inProduction: boolean }): Promise<{ readonly url: string | undefined }>;
}

let started: Promise<void> | undefined;

/** Switches the inspector on, once. A program that cannot be inspected runs all the same. */
export function startInspector(wanted: string): Promise<void> {
  return (started ??= start(wanted === 'always').catch((cause: unknown) => warn(errorText(cause), cause)));
}

async function start(inProduction: boolean): Promise<void> {
  const { argv } = process;
  // Where the program is, and not the folder in which it works: what lies there is not trusted.
  const file = installedFile('@hexagent/inspector', [...(argv[1] === undefined ? [] : [argv[1]]), import.meta.url]);
  if (file === undefined) return warn('it is not installed. Run: npm install --save-dev @hexagent/inspector');
  // The types of a package that may be missing are not here; `e2e/browser` runs both together.
  const { inspect } = (await import(pathToFileURL(file).href)) as InspectorModule;
  const { url } = await inspect({ inProduction });
  if (url === undefined) warn('NODE_ENV is production. With HEXAGENT_INSPECT=always it is switched on there, too');
}

function warn(reason: string, cause?: unknown): void {
  const message = `HEXAGENT_INSPECT is set, and the program runs without the inspector: ${reason}.`;
  warnProcess({ code: 'HEXAGENT_NOT_INSPECTED', source: 'HEXAGENT_INSPECT', message, cause });
}
