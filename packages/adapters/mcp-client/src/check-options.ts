import { checkDelay, isPlainObject, isRecord } from '@hexagent/checks';
import { checkNames, checkTools, isStrings } from './check-tools.ts';
import type { Fields } from './json-rpc.ts';

const sharedNames = ['connectTimeoutMs', 'reconnect', 'onStatus', 'tools', 'elicitor', 'sampler', 'clock'];
const stdioNames = ['name', 'command', 'args', 'env', 'cwd', ...sharedNames];
const httpNames = ['name', 'url', 'type', 'headers', 'authProvider', 'fetch', ...sharedNames];

/** @throws {TypeError} for an unknown option or one of a wrong type, naming it, and never its value. */
export function checkOptions(options: unknown): void {
  if (!isRecord(options)) throw new TypeError('external() needs an object with name and command.');
  const { name, url, command } = options;
  if (typeof name !== 'string' || name === '')
    throw new TypeError('external(): name must be a string that is not empty.');
  if (url !== undefined && command !== undefined)
    throw new TypeError(`external(): ${name} has a command and a url; it is either started or reached.`);
  if (url === undefined) checkStdio(options, name);
  else checkHttp(options, name);
  checkShared(options, name);
}

function checkShared(
  { connectTimeoutMs, reconnect, onStatus, tools, elicitor, sampler, clock }: Fields,
  name: string,
): void {
  checkDelay('connectTimeoutMs', connectTimeoutMs);
  if (reconnect !== undefined && reconnect !== false) checkReconnecting(reconnect, name);
  if (onStatus !== undefined && typeof onStatus !== 'function')
    throw new TypeError(`external(): onStatus of ${name} must be a function.`);
  if (tools !== undefined) checkTools(tools, name);
  if (elicitor !== undefined && !(isRecord(elicitor) && typeof elicitor['elicit'] === 'function'))
    throw new TypeError(`external(): elicitor of ${name} must be an Elicitor, with a method elicit.`);
  if (sampler !== undefined && !(isRecord(sampler) && typeof sampler['sample'] === 'function'))
    throw new TypeError(`external(): sampler of ${name} must be a Sampler, with a method sample.`);
  if (clock !== undefined && !(isRecord(clock) && typeof clock['after'] === 'function'))
    throw new TypeError(`external(): clock of ${name} must be a Clock.`);
}

function checkReconnecting(reconnect: unknown, name: string): void {
  if (!isRecord(reconnect)) throw new TypeError(`external(): reconnect of ${name} must be an object or false.`);
  checkNames(reconnect, ['attempts', 'delayMs', 'maxDelayMs']);
  const { attempts, delayMs, maxDelayMs } = reconnect;
  if (attempts !== undefined && !(Number.isInteger(attempts) && Number(attempts) >= 0))
    throw new TypeError(`external(): reconnect.attempts of ${name} must be a whole number, 0 or more.`);
  checkDelay('reconnect.delayMs', delayMs);
  checkDelay('reconnect.maxDelayMs', maxDelayMs);
}

function checkStdio(options: Fields, name: string): void {
  checkNames(options, stdioNames);
  const { command, args, env, cwd } = options;
  if (typeof command !== 'string' || command === '')
    throw new TypeError(`external(): command of ${name} must be a string that is not empty.`);
  if (args !== undefined && !isStrings(args))
    throw new TypeError(`external(): args of ${name} must be a list of strings.`);
  if (env !== undefined && !(isRecord(env) && isStrings(Object.values(env)))) {
    throw new TypeError(`external(): env of ${name} must be an object of strings.`);
  }
  if (cwd !== undefined && typeof cwd !== 'string') throw new TypeError(`external(): cwd of ${name} must be a string.`);
}

function checkHttp(options: Fields, name: string): void {
  checkNames(options, httpNames);
  const { url, type, headers, authProvider, fetch } = options;
  checkUrl(url, name);
  if (type !== undefined && type !== 'http' && type !== 'sse')
    throw new TypeError(`external(): type of ${name} must be http or sse.`);
  if (headers !== undefined) checkHeaders(headers, name);
  if (authProvider !== undefined) {
    if (!isRecord(authProvider) || typeof authProvider['tokens'] !== 'function')
      throw new TypeError(`external(): authProvider of ${name} must be an OAuthClientProvider of the MCP SDK.`);
    if (isRecord(headers) && Object.keys(headers).some((header) => header.toLowerCase() === 'authorization'))
      throw new TypeError(`external(): ${name} has an authProvider and a header authorization; only one can be sent.`);
  }
  if (fetch !== undefined && typeof fetch !== 'function')
    throw new TypeError(`external(): fetch of ${name} must be a function.`);
}

function checkUrl(url: unknown, name: string): void {
  const text = typeof url === 'string' || url instanceof URL ? String(url) : '';
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new TypeError(`external(): url of ${name} must be an http: or https: address.`);
  if (parsed.username !== '' || parsed.password !== '')
    throw new TypeError(`external(): url of ${name} holds a user or a password; give them in headers.`);
}

/** What is no plain object, such as `Headers` or a Map, would be read as no headers at all. */
function checkHeaders(headers: unknown, name: string): void {
  if (!isPlainObject(headers) || !isStrings(Object.values(headers)))
    throw new TypeError(`external(): headers of ${name} must be an object of strings.`);
  for (const [header, value] of Object.entries(headers)) {
    try {
      new Headers().set(header, String(value));
    } catch {
      // The error of the runtime has the value in it.
      throw new TypeError(`external(): the header ${header} of ${name} has a name or a value that cannot be sent.`);
    }
  }
}
