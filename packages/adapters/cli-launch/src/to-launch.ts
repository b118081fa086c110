import type { InitializeFields, Launch, LaunchArgument, Launcher, LaunchOptions } from '@hexagent/ports';
import { refuseCombinations } from './combinations.ts';
import { toEnvironment } from './environment.ts';
import { checkArguments } from './length.ts';
import type { Parts, Settings } from './parts.ts';
import { placeRules } from './rules.ts';
import { withSandbox } from './settings.ts';
import { table } from './table.ts';
import type { TabledOption } from './table.ts';
import { refuseValue, toJson } from './values.ts';

const always: readonly string[] = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

/** Turns options into a launch of the Claude Code CLI: one row of the table per option, then what rows share. */
export const toLaunch: Launcher = (given: LaunchOptions): Launch => {
  // Each option is read once: what was checked is what is launched.
  const options = { ...given };
  refuseCombinations(options);
  // Of forty options a launch has a few: rows of what is absent would cost more than those of what is there.
  const present = namesOf(table).filter((option) => option !== 'extraArgs' && isGiven(options[option]));
  const parts = present.map((option) => partsOf(option, options));
  const extra = partsOf('extraArgs', options);
  const { args, settings } = placeRules(
    {
      allowedTools: parts.flatMap(({ rules }) => rules?.allow ?? []),
      disallowedTools: parts.flatMap(({ rules }) => rules?.deny ?? []),
    },
    withSandbox(
      [...parts, extra].find((part) => part.settings !== undefined)?.settings,
      parts.find((part) => part.sandbox !== undefined)?.sandbox,
    ),
  );
  const rows = parts.flatMap((part) => part.args ?? []);
  return {
    // Of a flag that is given twice the agent takes the last: what the caller writes out counts.
    args: [...always, ...rows, ...args, ...settingsArguments(settings), ...(extra.args ?? [])],
    env: toEnvironment(options.env),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    initialize: Object.assign({}, ...parts.map((part) => part.initialize)) as InitializeFields, // of nothing else
    awaitInitialize: false,
    ...sessionIdOf(options),
    ...leftoversOf(options),
  };
};

/** Where the caller writes the flag out as well, that counts, and the agent reports which id it has. */
function sessionIdOf({ sessionId, extraArgs }: LaunchOptions): Pick<Launch, 'sessionId'> {
  if (!sessionId || (extraArgs && Object.hasOwn(extraArgs, 'session-id'))) return {};
  return { sessionId };
}

/** A word that means nothing must not let a process stay that was meant to be ended. */
function leftoversOf({ leftovers }: LaunchOptions): Pick<Launch, 'leftovers'> {
  if (leftovers === undefined) return {};
  if (['end', 'wait', 'leave'].includes(leftovers)) return { leftovers };
  throw refuseValue('leftovers', leftovers, 'Pass end, wait or leave.');
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties the row to the value of its option
function partsOf<Option extends TabledOption>(option: Option, options: LaunchOptions): Parts {
  const value = options[option];
  if (!isGiven(value)) return {};
  const parts = table[option](value, option);
  checkArguments(parts.args ?? [], option);
  return parts;
}

function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

function settingsArguments(settings: Settings | undefined): readonly LaunchArgument[] {
  if (settings === undefined) return [];
  if ('path' in settings) return ['--settings', settings.path];
  return ['--settings', { name: 'settings.json', content: toJson('settings', settings.object) }];
}

function namesOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record) as Key[]; // the table has exactly these keys: its type says so
}
