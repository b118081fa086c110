import { describe, expect, it } from 'vitest';
import { toLaunch } from '@hexagent/cli-launch';

const environment = (env: Record<string, string | undefined>): Readonly<Record<string, string>> =>
  toLaunch({ env }).env;

/** What every launch sets. */
const own = {
  CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
  CLAUDE_AGENT_SDK_VERSION: 'hexagent',
  CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
};

describe('The environment of the agent', () => {
  it('has the caller’s variables, and those that the SDK needs', () => {
    expect(environment({ PATH: '/bin', EMPTY: '' })).toStrictEqual({ PATH: '/bin', EMPTY: '', ...own });
  });

  it('leaves out undefined variables', () => {
    expect(environment({ GONE: undefined })).toStrictEqual(own);
  });

  it('leaves out variables that are meant for this process', () => {
    expect(environment({ NODE_OPTIONS: '--inspect', DEBUG: '*' })).toStrictEqual(own);
  });

  it('keeps CLAUDECODE, which marks an agent inside an agent, where the caller passes it', () => {
    expect(environment({ CLAUDECODE: '1' })).toStrictEqual({ CLAUDECODE: '1', ...own });
  });

  it('turns the agent’s log on with DEBUG_CLAUDE_AGENT_SDK', () => {
    const asked = { DEBUG: '*', DEBUG_CLAUDE_AGENT_SDK: '1' };
    expect(environment(asked)).toStrictEqual({ ...own, ...asked, DEBUG: '1' });
    expect(environment({ DEBUG_CLAUDE_AGENT_SDK: '' })).toStrictEqual({ ...own, DEBUG_CLAUDE_AGENT_SDK: '' });
  });

  it('keeps the name and the version that the caller gives', () => {
    const given = { CLAUDE_CODE_ENTRYPOINT: 'my-app', CLAUDE_AGENT_SDK_VERSION: '9.9.9' };
    expect(environment(given)).toStrictEqual({ ...own, ...given });
  });

  it('makes the agent report its state, unless the caller decides it', () => {
    const given = { CLAUDE_CODE_SDK_READS_SESSION_STATE: '0' };
    expect(environment(given)).toStrictEqual({ ...own, ...given });
  });
});
