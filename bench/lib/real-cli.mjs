// The real CLI, in a home of its own, with a scripted model on the loopback: it reaches nothing else.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const recordingPid = fileURLToPath(new URL('../stand-in/recording-pid.sh', import.meta.url));

/**
 * What a row needs to run the real CLI; why it must be skipped where this platform has none.
 * @param run The run: where the packed packages are, and what to do at its end.
 */
export async function realCli(run, { script, recordPid = false }) {
  const [{ findCli, hermeticEnv, hermeticHome }, loopbackModule] = await Promise.all([
    run.load('@hexagent/testing/cli'),
    run.load('@hexagent/testing/loopback'),
  ]);
  const cli = findCli({ from: pathToFileURL(run.benchFolder).href + path.sep });
  if (cli === undefined) return { skipped: 'the real CLI is not installed for this platform' };
  const [home, loopback] = await Promise.all([
    hermeticHome(),
    loopbackModule.startLoopback(() => script(loopbackModule)),
  ]);
  run.atEnd(async () => {
    await loopback.close();
    await home.remove();
  });
  const extra = recordPid ? { BENCH_CLI: cli, BENCH_PID_FILE: run.pidFile } : {};
  return { standIn: recordPid ? recordingPid : cli, childEnv: hermeticEnv({ loopback, home, extra }) };
}
