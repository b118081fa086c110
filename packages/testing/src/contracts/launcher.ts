import { assert } from './assert.ts';
import type { Launch, LaunchArgument, Launcher, LaunchOptions } from '@hexagent/ports';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** A launcher under test. */
export interface LauncherFixture {
  readonly launcher: Launcher;
}

/** What every `Launcher` promises. */
export function launcherContract(runner: Runner, fixture: LauncherFixture): void {
  const { describe, it } = limitedRunner('launcherContract', runner, fixture);
  describe('Launcher contract', () => {
    for (const [name, keep] of Object.entries(promises)) it(name, async () => keep(fixture.launcher));
  });
}

const id = '11111111-2222-4333-8444-555555555555';
const secret = 'made-up-secret-of-the-suite';
const rich: LaunchOptions = {
  cwd: '/home/user/project',
  env: { PATH: '/bin', LEFT_OUT: undefined },
  model: 'a-model',
  systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be short.' },
  allowedTools: ['Read'],
  disallowedTools: ['Bash(rm *)'],
  mcpServers: { one: { type: 'stdio', command: 'serve', env: { TOKEN: secret } } },
  settings: { cleanupPeriodDays: 7 },
  additionalDirectories: ['/home/user/other'],
  maxTurns: 3,
  includePartialMessages: true,
};

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const isText = (value: unknown): boolean => typeof value === 'string';

function isArgument(argument: LaunchArgument): boolean {
  if (typeof argument === 'string') return true;
  if (!isText(argument.name)) return false;
  return 'content' in argument ? isText(argument.content) : Array.isArray(argument.files);
}

/** What any user of the machine can read in the list of processes. */
const commandLine = ({ args }: Launch): string => args.filter((argument) => typeof argument === 'string').join(' ');

const promises: Readonly<Record<string, (launcher: Launcher) => void>> = {
  'makes the same launch of the same options'(launcher) {
    assert.deepEqual(launcher(structuredClone(rich)), launcher(structuredClone(rich)));
  },

  'leaves the options as they are'(launcher) {
    const options = structuredClone(rich);
    launcher(frozen(options));
    assert.deepEqual(options, rich);
  },

  'makes arguments that are texts, files or folders'(launcher) {
    const { args } = launcher(rich);
    assert.ok(Array.isArray(args), 'there is no list of arguments');
    for (const argument of args) assert.ok(isArgument(argument), JSON.stringify(argument));
  },

  'has the agent work in the folder of the options'(launcher) {
    assert.deepEqual([launcher(rich).cwd, launcher({ env: {} }).cwd], ['/home/user/project', undefined]);
    assert.equal(launcher({ env: {}, ownFolder: '/home/user/own-' }).ownFolder, '/home/user/own-');
  },

  'gives the agent the environment of the options, and nothing of this process'(launcher) {
    const { env } = launcher(rich);
    assert.equal(env['PATH'], '/bin');
    assert.ok(!('LEFT_OUT' in env), 'a variable without a value is there');
    const foreign = Object.keys(process.env).filter((name) => !(name in rich.env) && env[name] === process.env[name]);
    assert.deepEqual(foreign, []);
  },

  'has fields of `initialize`, which JSON can carry'(launcher) {
    const { initialize } = launcher({ ...rich, title: 'A title' });
    assert.deepEqual(JSON.parse(JSON.stringify(initialize)), initialize);
  },

  'names the session that the agent is given, or resumes'(launcher) {
    assert.equal(launcher({ env: {}, sessionId: id }).sessionId, id);
    assert.equal(launcher({ env: {}, resume: id }).sessionId, id);
    assert.equal(launcher({ env: {} }).sessionId, undefined);
    assert.equal(
      launcher({ env: {}, resume: id, forkSession: true }).sessionId,
      undefined,
      'a copy has an id of its own',
    );
  },

  'reports what is to become of processes that outlive the agent'(launcher) {
    for (const leftovers of ['end', 'wait', 'leave'] as const)
      assert.equal(launcher({ env: {}, leftovers }).leftovers, leftovers);
    assert.equal(launcher({ env: {} }).leftovers, undefined);
  },

  'keeps what servers are given off the command line'(launcher) {
    assert.ok(JSON.stringify(launcher(rich)).includes(secret), 'the server is not given what it needs');
    assert.ok(!commandLine(launcher(rich)).includes(secret), 'the command line has the secret');
  },

  'throws a TypeError that names an option whose value the agent would refuse'(launcher) {
    for (const [option, value] of Object.entries({ permissionMode: 'sometimes', sessionId: 'no-uuid' }))
      assert.throws(
        // An untyped program may pass any value.
        () => launcher({ env: {}, [option]: value }),
        (error) => error instanceof TypeError && error.message.includes(option),
        option,
      );
  },

  'throws a TypeError that names both options of a combination that the agent would refuse'(launcher) {
    assert.throws(
      () => launcher({ env: {}, sessionId: id, resume: id }),
      (error) => error instanceof TypeError && /sessionId/u.test(error.message) && /resume/u.test(error.message),
    );
  },
};
