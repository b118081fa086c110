import type { Launch, LaunchOptions } from '@hexagent/ports';
import { launcherContract, plantedFaults, type LauncherFixture } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { toLaunch } from '../src/index.ts';

const spoiled = (change: (launch: Launch, options: LaunchOptions) => Partial<Launch>): LauncherFixture => ({
  launcher(options) {
    const launch = toLaunch(options);
    return { ...launch, ...change(launch, options) };
  },
});
/** What it refuses is launched all the same, where the message has this word. */
const lenient = (word: string): LauncherFixture => ({
  launcher(options) {
    try {
      return toLaunch(options);
    } catch (error) {
      if (error instanceof TypeError && error.message.includes(word)) return toLaunch({ env: options.env });
      throw error;
    }
  },
});
let launches = 0;

launcherContract({ describe, it }, { launcher: toLaunch });

describe('The contract of launchers', () => {
  plantedFaults(
    { it },
    {
      suite: launcherContract,
      kept: { launcher: toLaunch },
      faults: [
        [
          'counts its launches',
          spoiled(({ env }) => ({ env: { ...env, COUNT: String((launches += 1)) } })),
          'makes the same launch of the same options',
        ],
        [
          'writes into the options',
          {
            launcher(options) {
              const launch = toLaunch(options);
              Object.assign(options, { title: options.title });
              return launch;
            },
          },
          'leaves the options as they are',
        ],
        [
          'makes arguments of numbers',
          spoiled(({ args }) => ({ args: [...args, 7 as unknown as string] })),
          'makes arguments that are texts, files or folders',
        ],
        [
          'has every agent work in one folder',
          spoiled(() => ({ cwd: '/home/user/project' })),
          'has the agent work in the folder of the options',
        ],
        [
          'adds the environment of the process',
          spoiled(({ env }) => ({ env: { ...process.env, ...env } as Record<string, string> })),
          'gives the agent the environment of the options, and nothing of this process',
        ],
        [
          'has a function among the fields of `initialize`',
          spoiled(({ initialize }) => ({ initialize: { ...initialize, after } })),
          'has fields of `initialize`, which JSON can carry',
        ],
        [
          'does not name a session that is resumed',
          spoiled(({ sessionId }, { resume }) => ({ sessionId: resume === undefined ? sessionId : undefined })),
          'names the session that the agent is given, or resumes',
        ],
        [
          'ends all that is left over',
          spoiled(({ leftovers }) => ({ leftovers: leftovers && 'end' })),
          'reports what is to become of processes that outlive the agent',
        ],
        [
          'has servers on the command line',
          spoiled(({ args }, { mcpServers }) => ({
            args: [...args, ...(mcpServers === undefined ? [] : ['--mcp-config', JSON.stringify(mcpServers)])],
          })),
          'keeps what servers are given off the command line',
        ],
        [
          'takes any mode',
          lenient('permissionMode'),
          'throws a TypeError that names an option whose value the agent would refuse',
        ],
        [
          'takes any combination',
          lenient('cannot be combined'),
          'throws a TypeError that names both options of a combination that the agent would refuse',
        ],
      ],
    },
  );
});

function after(): void {}
