import { isArgumentError } from './complain.ts';

const usage = `Usage:
  hexagent doctor [--json]                          what a session needs, and what is missing
  hexagent offline [--script FILE] [--port N]       a model on this machine, and the variables that lead to it
  hexagent offline [...] -- COMMAND [ARGUMENT...]   runs a command with these variables
  hexagent inspect TAPE [TAPE] [--port N]           a page that shows a recorded run, or two of them side by side
  hexagent inspect                                  the pages of the programs that are inspected now
  hexagent inspect -- COMMAND [ARGUMENT...]         runs a command, with a page that shows its agents
  hexagent tape show FILE [--all]                   what a recorded conversation was, line by line
  hexagent tape to-test FILE [--runner NAME] [--out FILE] -- COMMAND [ARGUMENT...]
                                                    a test that replays it to a program (vitest, node, jest, bun)
  hexagent tape eval FOLDER [--scores FILE] [--min NAME=N] [--max NAME=N] [--json] [-- COMMAND [ARGUMENT...]]
                                                    scores of all tapes in a folder, as a table and a gate
  hexagent try -- COMMAND [ARGUMENT...]             runs your tests with the official package and with ours, and counts
`;

/** @returns the exit code: 0, 1 for what was found, is missing or has failed, 2 for an unknown command or option, or that of a command */
export async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (asksForHelp(args)) {
    process.stdout.write(usage);
    return 0;
  }
  try {
    if (command === 'doctor') return await (await import('./run-doctor.ts')).runDoctor(rest);
    if (command === 'offline') return await (await import('./offline.ts')).offline(rest);
    if (command === 'inspect') return await (await import('./inspect.ts')).inspect(rest);
    if (command === 'tape') return await (await import('./tape.ts')).tape(rest);
    if (command === 'try') return await (await import('./try-both.ts')).tryBoth(rest);
  } catch (error) {
    if (!isArgumentError(error)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return 2;
  }
  process.stderr.write(command === undefined ? usage : `There is no command ${command}.\n\n${usage}`);
  return 2;
}

/** What is behind `--` belongs to a command. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  return args[0] === 'help' || own.includes('--help') || own.includes('-h');
}
