import { isRecord } from '@hexagent/checks';
import { object, record, recordOfReadable } from './objects.ts';
import {
  anything,
  closing,
  either,
  type Fields,
  flag,
  integer,
  lenient,
  lenientToPersons,
  list,
  listOfPolicy,
  listOfReadable,
  listOfSome,
  matching,
  number,
  oneOf,
  policyOnly,
  type Shape,
  someText,
  text,
  unreadable,
} from './shape.ts';

/** `null` is as good as nothing. */
const orNull =
  (shape: Shape): Shape =>
  (value, author) =>
    value === null ? undefined : shape(value, author);

const mostMilliseconds = 2_147_483_647;

/** A list that cannot be read stays, as a network that no address is in: without it other networks would count. */
const networks: Shape = either(list(text), () => ['(unreadable)']);

/** A provider of a name that newer agents may know: a policy that allows it alone must not allow none. */
const newerProvider: Shape = (value, author) =>
  author === 'policy' ? matching(/^anthropic[A-Z][A-Za-z0-9]*$/)(value, author) : unreadable;

const effort = oneOf('low', 'medium', 'high', 'xhigh');
const anyEffort = oneOf('low', 'medium', 'high', 'xhigh', 'max');
const time = oneOf('5m', '1h');
const compactWindow = integer({ from: 100_000 });
const price = number({ from: 0, to: 10_000 });

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

/** Of accounts, models and the work of the agent. */
export const agentShapes: Fields = {
  policyHelper: lenientToPersons(
    object(
      {
        path: text,
        timeoutMs: orNull(integer({ from: 1000, to: mostMilliseconds })),
        // 0 is never again.
        refreshIntervalMs: orNull(either(oneOf(0), integer({ from: 60_000, to: mostMilliseconds }))),
      },
      { needs: ['path'] },
    ),
  ),
  forceLoginMethod: lenientToPersons(oneOf('claudeai', 'console', 'gateway')),
  forceLoginGatewayUrl: lenientToPersons(someText),
  forceLoginOrgUUID: closing(either(text, list(text)), [], { unless: [] }),
  gatewayInternalNetworks: networks,
  allowedProviders: closing(
    lenientToPersons(
      listOfReadable(
        either(
          oneOf('anthropic', 'customEndpoint', 'bedrock', 'vertex', 'foundry', 'anthropicAws', 'mantle', 'gateway'),
          newerProvider,
        ),
      ),
    ),
    [],
    { unless: [] },
  ),
  parentSettingsBehavior: oneOf('first-wins', 'merge'),
  managedSourcesBehavior: oneOf('first-wins', 'merge'),
  autoUpdatesChannel: oneOf('latest', 'stable', 'rc'),
  feedbackSurveyRate: number({ from: 0, to: 1 }),
  feedbackDrafts: closing(oneOf('notify', 'quiet', 'off'), 'off'),
  attributionProjectPolicy: policyOnly(object({ default: text })),
  availableModels: closing(listOfPolicy(text), [], { unless: [] }),
  availableModelsMatch: policyOnly(closing(oneOf('prefix', 'exact'), 'exact')),
  deniedModels: policyOnly(listOfReadable(text)),
  modelOverrides: record(text),
  modelPicker: object(
    {
      options: listOfReadable(
        object({ model: text, label: text, description: text, behavesAs: text }, { needs: ['model'] }),
      ),
      replaceBuiltInOptions: lenient(flag),
    },
    { needs: ['options'] },
  ),
  modelPricing: object({
    multiplier: lenient(number({ above: 0, to: 10 })),
    overrides: lenient(
      recordOfReadable(
        object(
          { input: price, output: price, cacheRead: price, cacheWrite: price },
          { needs: ['input', 'output', 'cacheRead', 'cacheWrite'] },
        ),
      ),
    ),
  }),
  modelSettings: lenientToPersons(
    recordOfReadable(
      lenient(
        object(
          {
            effortLevel: lenient(effort),
            maxEffortLevel: lenient(anyEffort),
            autoCompactWindow: lenient(either(oneOf('auto'), compactWindow)),
          },
          { keepsOthers: true },
        ),
      ),
    ),
  ),
  effortLevel: lenientToPersons(effort),
  maxEffortLevel: lenientToPersons(anyEffort),
  ultracode: lenientToPersons(flag),
  promptCacheTtl: lenientToPersons(time),
  subagentPromptCacheTtl: lenientToPersons(time),
  autoCompactWindow: lenientToPersons(compactWindow),
  env: variables,
  attribution: closing(attribution, { sessionUrl: false }),
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
  fileSuggestion: command,
  cleanupPeriodDays: integer({ from: 1 }),
  desktopSessionCleanupPeriodDays: integer({ from: 0 }),
  workflowSizeGuideline: oneOf('unrestricted', 'small', 'medium', 'large'),
  remote: object({ defaultEnvironmentId: text }),
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
