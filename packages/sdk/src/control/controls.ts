import {
  abortSignal,
  anyText,
  delay,
  dictionary,
  flag,
  given,
  list,
  mode,
  number,
  oneOf,
  path,
  record,
  text,
  wholePositive,
  type Check,
  type Checks,
} from '@hexagent/checks';
import type { Conversation, InitializeResult, RequestOptions } from '@hexagent/ports';
import { unsupportedError } from '@hexagent/ports';
import { requestFields, requestOptions } from '../checks/input.ts';
import type {
  ContextUsageOptions,
  ReadFileOptions,
  ReloadPluginsOptions,
  RepoRootOptions,
  SessionControls,
  ThinkingOptions,
  TitleOptions,
  UsageOptions,
} from './session-controls.ts';

type Agent = Pick<Conversation, 'control' | 'controlUntyped' | 'ready'>;

const limits: Checks<RequestOptions> = { signal: abortSignal, timeoutMs: delay };

/** Checks the options of one method, and separates how long it waits from what it asks. */
function optionsWith<T extends RequestOptions>(
  checks: Omit<Checks<T>, keyof RequestOptions>,
): (options: T | undefined) => readonly [asked: Partial<Omit<T, keyof RequestOptions>>, limits: RequestOptions] {
  const check = record<T>({ ...checks, ...limits } as Checks<T>); // together they are all keys of T
  return (options = {} as T) => {
    const { signal, timeoutMs, ...asked } = check(options, 'options');
    return [asked, { signal, timeoutMs }];
  };
}

const done = async (answer: Promise<unknown>): Promise<void> => void (await answer);
const waits = (options: RequestOptions = {}): RequestOptions => requestOptions(options, 'options');
const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value, place) =>
    value === null ? null : check(value, place);
const settingsOf = dictionary(given<unknown>());
const [id, model] = [text(), orNull(text())];

const ofContext = optionsWith<ContextUsageOptions>({ detail: oneOf('summary', 'full') });
const ofUsage = optionsWith<UsageOptions>({ skipBehaviors: flag });
const ofThinking = optionsWith<ThinkingOptions>({ display: orNull(oneOf('summarized', 'omitted', 'highlights')) });
const ofReading = optionsWith<ReadFileOptions>({ maxBytes: wholePositive, encoding: oneOf('utf-8', 'base64') });
const ofRoot = optionsWith<RepoRootOptions>({ reloadClaudeMd: flag, reloadPlugins: flag, reloadSkills: flag });
const ofPlugins = optionsWith<ReloadPluginsOptions>({
  holdOnCacheImpact: flag,
  addPlugins: list(path, 'a list of paths'),
  refuseIfBusy: flag,
});
const ofTitle = optionsWith<TitleOptions>({ persist: flag });

/** A part of the introduction, which an older agent may lack. */
async function introduced<Part extends 'commands' | 'agents' | 'account'>(
  { ready }: Agent,
  part: Part,
): Promise<NonNullable<InitializeResult[Part]>> {
  const introduction = await ready;
  const value = introduction[part];
  if (value === undefined) throw unsupportedError(`${part} of initialize`, introduction.claude_code_version);
  return value;
}

/** The methods of a session that are one request each: what a program passes, checked, becomes the fields of the wire. */
export function toControls(agent: Agent): SessionControls {
  const requestUntyped: SessionControls['requestUntyped'] = async (subtype, fields = {}, options = {}) =>
    await agent.controlUntyped(
      text()(subtype, 'subtype'),
      requestFields(fields, 'fields'),
      requestOptions(options, 'options'),
    );
  return {
    ...questionsTo(agent),
    ...switchesOf(agent),
    ...tasksOf(agent),
    ...filesOf(agent),
    ...titlesOf(agent),
    // The agent's own answer, in the form that the recorded wire has.
    request: requestUntyped,
    requestUntyped,
  };
}

const questionsTo = (agent: Agent) =>
  ({
    models: async (options) => (await agent.control('list_models', {}, waits(options))).models,
    commands: async () => await introduced(agent, 'commands'),
    subagents: async () => await introduced(agent, 'agents'),
    accountInfo: async () => await introduced(agent, 'account'),
    cliVersion: async (options) => await agent.control('get_binary_version', {}, waits(options)),
    settings: async (options) => await agent.control('get_settings', {}, waits(options)),
    permissionRules: async (options) => (await agent.control('list_permission_rules', {}, waits(options))).state,
    settingsHooks: async (options) => await agent.control('get_hooks_listing', {}, waits(options)),
    contextUsage: async (options) => await agent.control('get_context_usage', ...ofContext(options)),
    async usageAndLimits(options) {
      const [{ skipBehaviors }, limits] = ofUsage(options);
      return await agent.control('get_usage', { skip_behaviors: skipBehaviors }, limits);
    },
    costText: async (options) => (await agent.control('get_session_cost', {}, waits(options))).text,
  }) satisfies Partial<SessionControls>;

const switchesOf = (agent: Agent) =>
  ({
    setModel: async (to, options) => done(agent.control('set_model', { model: model(to, 'model') }, waits(options))),
    setPermissionMode: async (to, options) =>
      done(agent.control('set_permission_mode', { mode: mode(to, 'mode') }, waits(options))),
    async setMaxThinkingTokens(tokens, options) {
      const max_thinking_tokens = orNull(number({ least: 0, whole: true }))(tokens, 'tokens');
      const [{ display }, limits] = ofThinking(options);
      await agent.control('set_max_thinking_tokens', { max_thinking_tokens, thinking_display: display }, limits);
    },
    applySettings: async (settings, options) =>
      done(agent.control('apply_flag_settings', { settings: settingsOf(settings, 'settings') }, waits(options))),
    async saveSettings(file, given, options) {
      const source = `${oneOf('user', 'local')(file, 'file')}Settings` as const;
      await agent.control('update_settings', { source, settings: settingsOf(given, 'settings') }, waits(options));
    },
    setHasSubscribers: async (has, options) => {
      const has_subscribers = has === null ? null : flag(has, 'hasSubscribers');
      await agent.control('set_has_subscribers', { has_subscribers }, waits(options));
    },
  }) satisfies Partial<SessionControls>;

const tasksOf = (agent: Agent) =>
  ({
    stopTask: async (task, options) =>
      done(agent.control('stop_task', { task_id: id(task, 'taskId') }, waits(options))),
    taskOutput: async (task, options) =>
      await agent.control('get_task_output', { task_id: id(task, 'taskId') }, waits(options)),
    async moveToBackground(call, options) {
      const tool_use_id = call === undefined ? undefined : id(call, 'toolUseId');
      // Without an id the agent reports only that it handled the request.
      return (await agent.control('background_tasks', { tool_use_id }, waits(options))).backgrounded ?? true;
    },
  }) satisfies Partial<SessionControls>;

const filesOf = (agent: Agent) =>
  ({
    async readFile(file, options) {
      const [{ maxBytes, encoding }, limits] = ofReading(options);
      return await agent.control('read_file', { path: path(file, 'path'), max_bytes: maxBytes, encoding }, limits);
    },
    suggestFiles: async (query, options) =>
      await agent.control('file_suggestions', { query: anyText(query, 'query') }, waits(options)),
    async markAsRead(file, mtimeMs, options) {
      const mtime = number({ least: 0 })(mtimeMs, 'mtimeMs');
      await agent.control('seed_read_state', { path: path(file, 'path'), mtime }, waits(options));
    },
    async registerRepoRoot(folder, options) {
      const [{ reloadClaudeMd, reloadPlugins, reloadSkills }, limits] = ofRoot(options);
      const fields = {
        directory: path(folder, 'directory'),
        reload_claude_md: reloadClaudeMd,
        reload_plugins: reloadPlugins,
        reload_skills: reloadSkills,
      };
      return (await agent.control('register_repo_root', fields, limits)).directory;
    },
    async reloadPlugins(options) {
      const [{ holdOnCacheImpact, addPlugins, refuseIfBusy }, limits] = ofPlugins(options);
      if (refuseIfBusy === true) await ensureRefusesIfBusy(agent);
      const fields = {
        hold_on_cache_impact: holdOnCacheImpact,
        add_plugins: addPlugins?.map((folder) => ({ type: 'local', path: folder }) as const),
        refuse_if_busy: refuseIfBusy,
      };
      return await agent.control('reload_plugins', fields, limits);
    },
    reloadSkills: async (options) => (await agent.control('reload_skills', {}, waits(options))).skills,
    reloadOutputStyles: async (options) =>
      (await agent.control('reload_output_styles', {}, waits(options))).available_output_styles,
  }) satisfies Partial<SessionControls>;

const titlesOf = (agent: Agent) =>
  ({
    rename: async (title, options) =>
      done(agent.control('rename_session', { title: text()(title, 'title') }, waits(options))),
    async generateTitle(given, options) {
      const [{ persist }, limits] = ofTitle(options);
      const description = anyText(given, 'description');
      return (await agent.control('generate_session_title', { description, persist }, limits)).title;
    },
    sideQuestion: async (question, options) =>
      await agent.control(
        'side_question',
        { question: text('a question', /./s)(question, 'question') },
        waits(options),
      ),
  }) satisfies Partial<SessionControls>;

/** An older agent ignores the field, and would reload in the middle of a turn. */
async function ensureRefusesIfBusy({ ready }: Agent): Promise<void> {
  const { capabilities, claude_code_version: version } = await ready;
  if (capabilities?.includes('reload_plugins_refuse_if_busy_v1') === true) return;
  throw unsupportedError('refuse_if_busy of reload_plugins', version);
}
