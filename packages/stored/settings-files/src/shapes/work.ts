import { isRecord } from '@hexagent/checks';
import { object, record } from './objects.ts';
import {
  anything,
  closing,
  type Fields,
  flag,
  integer,
  lenient,
  lenientToPersons,
  list,
  listOfSome,
  type Shape,
  text,
  unreadable,
  oneOf,
} from './shape.ts';

/** Whatever a variable was given becomes text, as it would in a program. */
const variables: Shape = (value, author) => {
  const read = record((each) => String(each))(value, author);
  return author === 'policy' && isRecord(read) && Object.keys(read).length === 0 ? unreadable : read;
};

const attribution: Shape = (value, author) => {
  if (value === true) return {};
  if (value === false) return { commit: '', pr: '', sessionUrl: false };
  return object(
    { commit: text, pr: text, sessionUrl: closing(flag, false) },
    { keepsOthers: true, fieldByField: true },
  )(value, author);
};

const command = object({ type: oneOf('command'), command: text }, { needs: ['type', 'command'] });

export const workShapes: Fields = {
  $schema: text,
  env: variables,
  agent: text,
  language: text,
  outputStyle: text,
  processWrapper: text,
  attribution: closing(attribution, { sessionUrl: false }),
  attributionProject: text,
  includeCoAuthoredBy: flag,
  includeGitInstructions: flag,
  prUrlTemplate: text,
  worktree: closing(
    object(
      {
        symlinkDirectories: listOfSome(text),
        sparsePaths: listOfSome(text),
        baseRef: oneOf('fresh', 'head'),
        bgIsolation: closing(lenientToPersons(oneOf('worktree', 'none')), 'worktree'),
        location: lenient(text),
      },
      { fieldByField: true },
    ),
    { bgIsolation: 'worktree' },
  ),
  claudeMd: text,
  claudeMdExcludes: list(text),
  autoMemoryEnabled: flag,
  autoMemoryDirectory: text,
  autoDreamEnabled: flag,
  plansDirectory: text,
  fileSuggestion: command,
  respectGitignore: flag,
  fileCheckpointingEnabled: flag,
  cleanupPeriodDays: integer({ from: 1 }),
  desktopSessionCleanupPeriodDays: integer({ from: 0 }),
  disableAgentView: closing(flag, true),
  disableArtifact: closing(flag, true),
  enableArtifact: closing(flag, false),
  disableReplyCheck: flag,
  disableRemoteControl: closing(flag, true),
  disableWorkflows: closing(flag, true),
  enableWorkflows: closing(flag, false),
  workflowSizeGuideline: oneOf('unrestricted', 'small', 'medium', 'large'),
  workflowKeywordTriggerEnabled: flag,
  remote: object({ defaultEnvironmentId: text }),
  remoteControlAtStartup: closing(flag, false),
  isolatePeerMachines: closing(flag, true),
  crossSessionInbound: closing(oneOf('accept', 'hold', 'refuse'), 'refuse', { unless: [] }),
  daemonColdStart: oneOf('transient', 'ask'),
  teammateMode: oneOf('auto', 'tmux', 'iterm2', 'in-process'),
  sshConfigs: list(
    object(
      { id: text, name: text, sshHost: text, sshPort: integer(), sshIdentityFile: text, startDirectory: text },
      { needs: ['id', 'name', 'sshHost'] },
    ),
  ),
  sshHostCommands: anything,
};
