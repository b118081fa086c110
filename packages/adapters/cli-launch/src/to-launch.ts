import type { InitializeFields, Launch, LaunchArgument, Launcher, LaunchOptions } from '@hexagent/ports';
import { refuseCombinations } from './combinations.ts';
import { toEnvironment } from './environment.ts';
import { checkArguments } from './length.ts';
import type { Addition, Settings } from './rows.ts';
import { placeRules } from './rules.ts';
import { withSandbox } from './settings.ts';
import { table, uuid } from './table.ts';
import type { TabledOption } from './table.ts';
import { wrongValue, toJson } from './values.ts';

const always: readonly string[] = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

/** Turns options into a launch of the Claude Code CLI: each option by its row of the table, then rules and settings together. */
export const toLaunch: Launcher = (given: LaunchOptions): Launch => {
  // Each option is read once: a getter cannot return another value after the check.
  const options = { ...given };
  refuseCombinations(options);
  // A launch has few of forty options, so only the rows of given ones are built.
  const present = namesOf(table).filter((option) => option !== 'extraArgs' && isGiven(options[option]));
  const additions = present.map((option) => additionOf(option, options));
  const extra = additionOf('extraArgs', options);
  const placed = placeRules(
    {
      // A skill may have its rule among those of the program already.
      allowedTools: [...new Set(additions.flatMap(({ rules }) => rules?.allow ?? []))],
      disallowedTools: additions.flatMap(({ rules }) => rules?.deny ?? []),
      askedTools: additions.flatMap(({ rules }) => rules?.ask ?? []),
    },
    withSandbox(
      [...additions, extra].find(({ settings }) => settings !== undefined)?.settings,
      additions.find(({ sandbox }) => sandbox !== undefined)?.sandbox,
    ),
    options,
  );
  const settings = placeSettings(placed.settings, options);
  const fields = { ...settings.initialize, ...placed.initialize };
  const rows = additions.flatMap(({ args }) => args ?? []);
  const named = Object.keys(fields);
  const isAwaited = named.length > 0 || additions.some(({ awaitsInitialize }) => awaitsInitialize);
  const waiting = [
    ...(isAwaited ? ['--await-initialize'] : []),
    ...(named.length > 0 ? [`--initialize-fields=${named.join(',')}`] : []),
  ];
  return {
    // The agent uses the last of two equal flags, so `extraArgs` come last.
    args: [...always, ...waiting, ...rows, ...placed.args, ...settings.args, ...(extra.args ?? [])],
    env: Object.assign(toEnvironment(options.env), ...additions.map(({ env }) => env)),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.ownFolder === undefined ? {} : { ownFolder: options.ownFolder }),
    ...(options.configFolder === undefined ? {} : { configFolder: options.configFolder }),
    initialize: Object.assign({}, ...additions.map(({ initialize }) => initialize), fields) as InitializeFields, // it has no other fields
    ...sessionIdOf(options),
    ...leftoversOf(options),
  };
};

/** Empty when `extraArgs` has a flag that overrides the option, or a title is resumed; the agent then reports its id. */
function sessionIdOf({ sessionId, resume, forkSession, extraArgs = {} }: LaunchOptions): Pick<Launch, 'sessionId'> {
  const has = (flag: string): boolean => Object.hasOwn(extraArgs, flag);
  if (has('session-id')) return {};
  if (sessionId) return { sessionId };
  // A copy gets an id of its own.
  if (forkSession === true || has('fork-session') || has('resume')) return {};
  return resume !== undefined && uuid.test(resume) ? { sessionId: resume } : {};
}

/** Refuses an unknown value, which would leave a process running that was meant to be ended. */
function leftoversOf({ leftovers }: LaunchOptions): Pick<Launch, 'leftovers'> {
  if (leftovers === undefined) return {};
  if (['end', 'wait', 'leave'].includes(leftovers)) return { leftovers };
  throw wrongValue('leftovers', leftovers, 'Pass end, wait or leave.');
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the row to the value of its option
function additionOf<Option extends TabledOption>(option: Option, options: LaunchOptions): Addition {
  const value = options[option];
  if (!isGiven(value)) return {};
  const addition = table[option](value, option, options);
  checkArguments(addition.args ?? [], option);
  return addition;
}

function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** The path of a file is an argument however settings are delivered. */
function placeSettings(
  settings: Settings | undefined,
  { settingsDelivery }: LaunchOptions,
): { readonly args: readonly LaunchArgument[]; readonly initialize?: Pick<InitializeFields, 'settings'> } {
  if (settings === undefined) return { args: [] };
  if ('path' in settings) return { args: ['--settings', settings.path] };
  const content = toJson('settings', settings.object);
  if (settingsDelivery === 'initialize') return { args: [], initialize: { settings: settings.object } };
  return { args: ['--settings', { name: 'settings.json', content }] };
}

function namesOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record) as Key[]; // the type of the table has exactly these keys
}
