import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { errorText } from '@hexagent/checks';
import { installedFile } from '../installed-file.ts';
import { complain } from './complain.ts';
import { runCommand } from './run-command.ts';

/** The used part of `@hexagent/inspector`, which is not installed with this package. */
interface InspectorModule {
  inspectedPrograms(): readonly { readonly pid: number; readonly name: string; readonly url: string }[];
  inspectTapes(files: readonly string[], options: { readonly port?: number | undefined }): Promise<InspectorServer>;
}
interface InspectorServer {
  readonly url: string;
  close(): Promise<void>;
}

const wanted =
  'Name one tape, or two to compare: hexagent inspect run.tape. Or a command: hexagent inspect -- node program.js';

const noProgram = 'No program of yours is inspected now. Start one with: npx hexagent inspect -- node program.js';

/** Shows a running program, a tape, or two tapes side by side. */
export async function inspect(given: readonly string[]): Promise<number> {
  const end = given.indexOf('--');
  const args = end === -1 ? given : given.slice(0, end);
  const command = end === -1 ? undefined : given.slice(end + 1);
  const { values, positionals: tapes } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' } },
    strict: true,
    allowPositionals: true,
  });
  const file = installedFile('@hexagent/inspector', [join(process.cwd(), 'package.json'), import.meta.url]);
  if (file === undefined)
    return complain('The inspector is not installed. Run: npm install --save-dev @hexagent/inspector');
  if (command !== undefined) {
    if (command.length === 0 || args.length > 0) return complain(wanted);
    // A person who asks for it by name means it in production, too.
    return await runCommand(command, { ...process.env, HEXAGENT_INSPECT: 'always' });
  }
  if (tapes.length > 2) return complain(wanted);
  // The types of a package that may be missing are not here; `e2e` runs both together.
  const inspector = (await import(pathToFileURL(file).href)) as InspectorModule;
  if (tapes.length === 0) return list(inspector);
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    return complain(`--port ${values.port} is not a port: give a number from 1 to 65535.`);
  return await show(tapes, port, inspector);
}

/** The addresses of the pages of running programs. */
function list({ inspectedPrograms }: InspectorModule): number {
  const programs = inspectedPrograms();
  if (programs.length === 0) return complain(noProgram);
  for (const { pid, name, url } of programs) process.stdout.write(`${name} (process ${pid}): ${url}\n`);
  return 0;
}

async function show(
  tapes: readonly string[],
  port: number | undefined,
  { inspectTapes }: InspectorModule,
): Promise<number> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  let server: InspectorServer;
  try {
    server = await inspectTapes(tapes, { port });
  } catch (error) {
    return complain(errorText(error));
  }
  process.stdout.write(`${server.url}\nCtrl-C ends it.\n`);
  await stopped;
  await server.close();
  return 0;
}
