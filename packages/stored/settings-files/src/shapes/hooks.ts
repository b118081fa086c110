import { isRecord } from '@hexagent/checks';
import type { HookEvent } from '@hexagent/ports';
import { object, record } from './objects.ts';
import { flag, list, listOfReadable, number, type Shape, text, unreadable, url, oneOf, anything } from './shape.ts';

const any = { if: text, timeout: number({ above: 0 }), statusMessage: text, once: flag };
const onFailure = oneOf('continue', 'block');
/** What cannot be read here counts as the strict word, for persons too: the hook stays, and blocks. */
const strictOnFailure: Shape = (value, author) => {
  const read = onFailure(value, author);
  return read === unreadable ? 'block' : read;
};

const kinds: { readonly [type: string]: Shape } = {
  command: object(
    {
      ...any,
      type: anything,
      command: text,
      args: list(text),
      shell: oneOf('bash', 'powershell'),
      async: flag,
      asyncRewake: flag,
      onFailure,
    },
    { needs: ['command'] },
  ),
  prompt: object({ ...any, type: anything, prompt: text, model: text, continueOnBlock: flag }, { needs: ['prompt'] }),
  agent: object({ ...any, type: anything, prompt: text, model: text }, { needs: ['prompt'] }),
  http: object(
    { ...any, type: anything, url: url(), headers: record(text), allowedEnvVars: list(text), onFailure },
    { needs: ['url'] },
  ),
  mcp_tool: object(
    { ...any, type: anything, server: text, tool: text, input: record(anything), onFailure: strictOnFailure },
    { needs: ['server', 'tool'] },
  ),
};

const hook: Shape = (value, author) => {
  const type = isRecord(value) ? value['type'] : undefined;
  const kind = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  return kind === undefined ? unreadable : kind(value, author);
};

const matchers = listOfReadable(object({ matcher: text, hooks: listOfReadable(hook) }, { needs: ['hooks'] }));
/** The compiler asks for each event that has a type. */
const events: { readonly [Event in HookEvent]: true } = {
  PreToolUse: true,
  PostToolUse: true,
  PostToolUseFailure: true,
  PostToolBatch: true,
  Notification: true,
  UserPromptSubmit: true,
  UserPromptExpansion: true,
  SessionStart: true,
  SessionEnd: true,
  Stop: true,
  StopFailure: true,
  SubagentStart: true,
  SubagentStop: true,
  PreCompact: true,
  PostCompact: true,
  PreModelSwitch: true,
  PostModelSwitch: true,
  PermissionRequest: true,
  PermissionDenied: true,
  Setup: true,
  TeammateIdle: true,
  TaskCreated: true,
  TaskCompleted: true,
  Elicitation: true,
  ElicitationResult: true,
  ConfigChange: true,
  WorktreeCreate: true,
  WorktreeRemove: true,
  InstructionsLoaded: true,
  CwdChanged: true,
  FileChanged: true,
  DirectoryAdded: true,
  MessageDisplay: true,
};

/** Unknown events are left out. When no event is left, the value counts as unreadable. */
export const hooksShape: Shape = (value, author) => {
  if (!isRecord(value)) return unreadable;
  const given = Object.entries(value);
  const read = given
    .filter(([event]) => Object.hasOwn(events, event))
    .map(([event, each]) => [event, matchers(each, author)] as const)
    .filter(([, each]) => each !== unreadable);
  return given.length > 0 && read.length === 0 ? unreadable : Object.fromEntries(read);
};
