import type { HookEvent } from '@hexagent/ports';

/** The behaviour of the CLI for an event. Measured with the CLI 2.1.328; e2e/hooks/hook-events.test.ts measures it again. */
interface EventFacts {
  /** The field of the input that a matcher is compared with; absent where the CLI ignores matchers. */
  readonly matched?: string;
  /** The cases in which no hook of the program is called. */
  readonly missing?: Missing;
}

interface Missing {
  /** The values of the matched field for which no hook is called; absent for all. */
  readonly values?: readonly string[];
  /** Completes "The CLI does not call a hook for this event …". */
  readonly when: string;
  /** The replacement. */
  readonly instead: string;
}

const tool: EventFacts = { matched: 'tool_name' };
const always: EventFacts = {};

export const eventFacts: Readonly<Record<HookEvent, EventFacts>> = {
  PreToolUse: tool,
  PostToolUse: tool,
  PostToolUseFailure: tool,
  PostToolBatch: always,
  Notification: { matched: 'notification_type' },
  UserPromptSubmit: always,
  UserPromptExpansion: { matched: 'command_name' },
  SessionStart: {
    matched: 'source',
    missing: {
      values: ['startup', 'resume', 'fork'],
      when: 'when a session starts or is resumed, only after /clear and a compaction',
      instead: 'For the start use `session.ready` or the `init` message, or set the matcher "clear|compact"',
    },
  },
  SessionEnd: {
    matched: 'reason',
    missing: {
      values: ['resume', 'logout', 'prompt_input_exit', 'other'],
      when: 'when the agent ends, only at /clear',
      instead: 'For the end use `session.exited`, or what follows the loop over query(), or set the matcher "clear"',
    },
  },
  Stop: always,
  StopFailure: { matched: 'error' },
  SubagentStart: { matched: 'agent_type' },
  SubagentStop: { matched: 'agent_type' },
  PreCompact: { matched: 'trigger' },
  PostCompact: { matched: 'trigger' },
  PreModelSwitch: { matched: 'to_model' },
  PostModelSwitch: { matched: 'to_model' },
  PermissionRequest: tool,
  PermissionDenied: tool,
  Setup: {
    matched: 'trigger',
    missing: {
      when: 'since it sets a project up before hooks are registered',
      instead: 'Set the project up before the session is opened',
    },
  },
  TeammateIdle: {
    missing: { when: 'since it has no teams without a terminal', instead: 'Use `SubagentStop`' },
  },
  TaskCreated: always,
  TaskCompleted: always,
  Elicitation: { matched: 'mcp_server_name' },
  ElicitationResult: { matched: 'mcp_server_name' },
  ConfigChange: { matched: 'source' },
  WorktreeCreate: always,
  WorktreeRemove: always,
  InstructionsLoaded: { matched: 'load_reason' },
  CwdChanged: {
    missing: {
      when: 'when a tool changes the folder, by `cd` or by entering a worktree',
      instead: 'Read `cwd` in the input of any other hook',
    },
  },
  FileChanged: { matched: 'the name of the file' },
  DirectoryAdded: { matched: 'source' },
  MessageDisplay: always,
};

/** The facts of an event; `undefined` for an event that is newer than this version. */
export function factsOf(event: string): EventFacts | undefined {
  return Object.hasOwn(eventFacts, event) ? eventFacts[event as HookEvent] : undefined; // an own key of the table
}

/** Whether a matcher of the event is compared with the name of a tool. */
export const isAboutTools = (event: string): boolean => factsOf(event) === tool;
