// One step that asks a package registry: its output is kept back, but for a request that is made again and for a failure.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { start } from './tools.mjs';

/** As a shell reports it. */
export const exitCodeOf = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0);

/** Whether a registry was not trusted, in the words of Node or of pnpm. Trying again would only take time. */
export const isDistrust = (reason) => /certificate|_cert\b|cert_|issuer|verify_leaf|err_tls/i.test(reason);
const certificateRemedy =
  'The certificate of the registry is not trusted here. Name the file of the authority that issued it: ' +
  'NODE_EXTRA_CA_CERTS=/path/ca.pem, or `cafile` where the configuration of npm has that already.';

const npmRetries = 2;
/** With these, npm reports its retries. A request that gets no answer is made again after a minute, not after five. */
export const npmFlags = ['--loglevel=http', `--fetch-retries=${npmRetries}`, '--fetch-timeout=60000'];

/** What a line of npm with `npmFlags` reports. */
export function readNpmLine(line) {
  const [, url, attempt, reason] = /^npm http fetch \S+ (\S+) attempt (\d+) failed with (.*)$/.exec(line) ?? [];
  if (url) return Number(attempt) > npmRetries ? {} : { retry: { url, attempt: Number(attempt), reason } };
  // What is indented is a stack.
  return /^npm (error|ERR!) [^ }]/.test(line) && !/A complete log of this run/.test(line) ? { error: line } : {};
}

/** What a line of `pnpm install --reporter=ndjson` reports. */
export function readPnpmLine(line) {
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    return line.trim() === '' ? {} : { error: line };
  }
  const { name, level, attempt, error, url, message, code, status } = event;
  if (name === 'pnpm:request-retry')
    return {
      retry: {
        url,
        attempt,
        reason: String(error?.message ?? error?.code).replace(/^.*: error sending request: /, ''),
      },
    };
  if (level === 'error') return { error: [code, message ?? error?.message].filter(Boolean).join(': ') };
  return name === 'pnpm:progress' && status === 'fetched' ? { fetched: true } : {};
}

/** A registry step that failed. `exitCode` is that of the whole program. */
export class StepFailed extends Error {
  constructor(message, { exitCode = 1, cause } = {}) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/**
 * Runs a command that asks a registry. Prints a line when its requests are made again, and why.
 * @param read `readNpmLine` or `readPnpmLine`
 * @param failure what could not be done, as a sentence
 * @param onFetched called when a package was fetched
 * @throws {StepFailed} with what the command reported as errors
 */
export async function registryStep(command, { cwd, read, failure, onFetched = () => {}, started = () => {} }) {
  const child = start(spawn, command, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  started(child);
  const ended = new Promise((resolve) => {
    child.once('error', (cause) => resolve({ problem: cause.message }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const errors = [];
  let attempts = 0;
  /** Requests that fail because of a certificate. */
  const distrusted = [];
  const take = (line) => {
    const { retry, error, fetched } = read(line);
    if (fetched) onFetched();
    if (error) errors.push(error);
    if (retry === undefined) return;
    if (isDistrust(retry.reason)) {
      distrusted.push(`${retry.url}: ${retry.reason}`);
      child.kill();
    } else if (retry.attempt > attempts) {
      // Many requests fail at once: one line for each round of them.
      attempts = retry.attempt;
      console.error(`${command[0]} tries again (${attempts}): ${retry.url}: ${retry.reason}`);
    }
  };
  for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on('line', take);
  const { code, signal, problem } = await ended;
  if (code === 0) return;
  if (distrusted.length > 0) throw new StepFailed([failure, distrusted[0], certificateRemedy].join('\n'));
  const lines = [failure, ...(problem ? [problem] : errors.slice(0, 20))];
  if (errors.some(isDistrust)) lines.push(certificateRemedy);
  throw new StepFailed(lines.join('\n'), { exitCode: signal ? exitCodeOf(null, signal) : 1 });
}
