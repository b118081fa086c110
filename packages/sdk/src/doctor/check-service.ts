import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, isRecord } from '@hexagent/checks';
import { isOn } from '../allow-list.ts';
import { configDirOf } from './check-folders.ts';
import { plainAddress } from './check-network.ts';
import type { Machine, Variables } from './machine.ts';
import { fail, joined, ok, warn, type Finding } from './report.ts';

interface Service {
  readonly name: string;
  /** Lists of variables, of each of which one must be set. */
  readonly needs: readonly (readonly string[])[];
  readonly credentials: readonly string[];
}

const credentials = ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_PROFILE'];

const services: Readonly<Record<string, Service>> = {
  CLAUDE_CODE_USE_BEDROCK: {
    name: 'Amazon Bedrock',
    needs: [['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']],
    credentials,
  },
  CLAUDE_CODE_USE_MANTLE: { name: 'Amazon, by CLAUDE_CODE_USE_MANTLE', needs: [], credentials },
  CLAUDE_CODE_USE_ANTHROPIC_AWS: { name: 'Amazon, by CLAUDE_CODE_USE_ANTHROPIC_AWS', needs: [], credentials },
  CLAUDE_CODE_USE_VERTEX: {
    name: 'Google Vertex AI',
    needs: [['CLOUD_ML_REGION'], ['ANTHROPIC_VERTEX_PROJECT_ID', 'GOOGLE_CLOUD_PROJECT', 'GCLOUD_PROJECT']],
    credentials: ['GOOGLE_APPLICATION_CREDENTIALS'],
  },
  CLAUDE_CODE_USE_FOUNDRY: {
    name: 'Microsoft Foundry',
    needs: [['ANTHROPIC_FOUNDRY_RESOURCE', 'ANTHROPIC_FOUNDRY_BASE_URL']],
    credentials: ['ANTHROPIC_FOUNDRY_API_KEY', 'AZURE_CLIENT_ID'],
  },
};

const keys = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'] as const;
const page = 'https://github.com/hexagent/hexagent/blob/main/docs/which-model-service.md has what each service needs.';

/** Which service answers, and whether there are credentials for it. Their values are never shown. */
export async function checkService(machine: Machine): Promise<Finding> {
  const { env } = machine;
  const chosen = Object.entries(services).filter(([name]) => isOn(env[name]));
  if (chosen.length > 1) {
    const names = chosen.map(([name]) => name).join(' and ');
    return fail(`${names} are both on.`, `Leave one service on. ${page}`);
  }
  const [first] = chosen;
  return first === undefined ? await checkAnthropic(machine) : checkOther(first[1], env);
}

function checkOther({ name, needs, credentials }: Service, env: Variables): Finding {
  const missing = needs.filter((some) => !some.some((variable) => env[variable]));
  if (missing.length > 0) {
    const list = missing.map((some) => some.join(' or ')).join(', and ');
    return fail(`${name}, without ${list}.`, `Set ${list}. ${page}`);
  }
  const given = credentials.filter((variable) => env[variable]);
  const by =
    given.length === 0 ? 'credentials of the machine or of a login, which are not read here' : given.join(', ');
  return ok(`${name}, with ${by}.`);
}

async function checkAnthropic(machine: Machine): Promise<Finding> {
  const { env } = machine;
  const address = env['ANTHROPIC_BASE_URL'];
  const given = keys.filter((name) => env[name]);
  const where = address ? (plainAddress(address) ?? 'an address that cannot be read') : 'Anthropic';
  const by = given.length > 0 ? ok(`${where}, with ${given.join(' and ')}.`) : await loginOf(machine, where);
  const problems = [addressProblem(address), ...keys.map((name) => keyProblem(name, env[name])), several(given)];
  return joined([...problems, by.status === 'ok' ? undefined : by], by);
}

function addressProblem(address: string | undefined): Finding | undefined {
  if (!address) return undefined;
  if (plainAddress(address) === undefined)
    return fail(
      'ANTHROPIC_BASE_URL is not an address with http:// or https://.',
      'Give it the form https://host, or unset it.',
    );
  if (!/\/v1\/?$/.test(address)) return undefined;
  return warn('ANTHROPIC_BASE_URL ends in /v1, which the CLI adds itself.', 'Take /v1 off ANTHROPIC_BASE_URL.');
}

function keyProblem(name: string, value: string | undefined): Finding | undefined {
  if (value === undefined) return undefined;
  if (value.trim() === '') return warn(`${name} is set and empty.`, `Give ${name} its value, or unset it.`);
  if (/^[\x21-\x7e]+$/.test(value)) return undefined;
  return fail(`${name} has a space, a line end or another character that a key never has.`, `Copy ${name} anew.`);
}

function several(given: readonly string[]): Finding | undefined {
  if (given.length < 2) return undefined;
  return warn(`${given.join(' and ')} are set.`, 'Unset all but one: which of them counts depends on the service.');
}

/** A login in the CLI's folder. Only that it is there is read. */
async function loginOf(machine: Machine, where: string): Promise<Finding> {
  const { env, host } = machine;
  if (env['ANTHROPIC_CUSTOM_HEADERS']) return ok(`${where}, with ANTHROPIC_CUSTOM_HEADERS.`);
  const file = join(configDirOf(machine) ?? '', '.credentials.json');
  try {
    const login: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isRecord(login) && Object.keys(login).length > 0) return ok(`${where}, with the login in ${file}.`);
    return fail(`${file} has no login.`, 'Log in anew, with `claude` and `/login`.');
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR'))
      return fail(
        `The login in ${file} cannot be read.`,
        'Let this user read the file, or log in anew, with `claude` and `/login`.',
      );
  }
  const remedy = `Set ANTHROPIC_API_KEY, or log in with \`claude\` and \`/login\`. ${page}`;
  if (host.platform === 'darwin')
    return warn(`${where}, with no key; a login in the keychain is not read here.`, remedy);
  return fail(`${where}, with neither a key nor a login.`, remedy);
}
