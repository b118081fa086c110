/** What each code means; the docs page of errors lists them. */
export const warningMeanings = {
  HEXAGENT_AGENT_NOT_ENDED:
    'Processes of an agent that was ended still run, since they may not be signalled. The message names them; so does `notEnded` of the exit.',
  HEXAGENT_CALLBACK_FAILED:
    'A callback of yours threw, rejected, or answered with something that cannot be used. The message names it, and the answer that the agent got instead.',
  CLAUDE_SDK_CAN_USE_TOOL_SHADOWED:
    'With these options `canUseTool` is not called for some tools, or never. The official package warns under this code too. With `strict: true` it is an error.',
  CLAUDE_SDK_MCP_SERVERS_NOT_APPLIED:
    'The agent did not start the MCP servers of its `initialize` request. A cloud session never does; else check for a wrapper that takes `--await-initialize` off the command line. The official package warns under this code too.',
  CLAUDE_SDK_AGENT_IN_PROCESS_SERVER:
    'A server of your process stands among the `mcpServers` of a subagent, where it is ignored. Move it to the option `mcpServers`. The official package warns under this code too.',
  HEXAGENT_PLUGINS_NOT_APPLIED:
    'The agent did not load the plugins of its `initialize` request. Update the CLI, check for a wrapper that takes `--await-initialize` off the command line, or set `pluginDelivery` to argv.',
  HEXAGENT_CALLBACK_UNREACHABLE:
    'With these options a callback of yours is never called, or not for its apparent purpose. The message names the cause. With `strict: true` it is an error.',
  HEXAGENT_NOT_REMEMBERED:
    'What `onAsk` allowed was to be remembered, and is not: the agent suggested no rule, or does not read the file in which it was stored. The message names which of the two.',
  HEXAGENT_HOOK_WITHOUT_EFFECT:
    'The agent does not do what a hook was registered for, or ignores its answer. The message names which, and what to use instead.',
  HEXAGENT_RULES_NOT_TAKEN:
    'The agent did not take what it is given when it has started: allow rules with content, such as `Bash(npm test *)`, so that it asks about the calls that they cover, and the mode `deny`, which then holds for calls of tools alone.',
  HEXAGENT_RULE_MISSPELT:
    'A rule names a tool that the agent does not have, and whose name resembles one that it has. It allows or denies nothing. The message names both.',
  HEXAGENT_TOOL_UNKNOWN:
    'A name in `tools` is of no tool that the agent has, so it adds none; with such names alone there is no built-in tool. The message names it. Correct it, or pass a tool made by `tool()` itself.',
  HEXAGENT_TOOL_LEFT_OUT:
    'A tool of an MCP server in your process is not there for the model: its whole name, `mcp__server__tool`, is too long, or another tool of it or of another server has the same. The message names it. Give it a shorter or another name (`external()` can rename tools).',
  HEXAGENT_SERVER_KEPT:
    'A server in your process was given to `setMcpServers()` under a name that another one has. The one that the agent has stays, until it is removed by a call without it.',
  HEXAGENT_NOT_STORED:
    'A part of a transcript was not passed between the agent and a session store, since its place in one of them cannot be determined. The message names the part.',
  HEXAGENT_SERVER_FAILED:
    'An MCP server that lives in your process, or that your process has started, failed. The message names the cause; so does `mcp_status`.',
  HEXAGENT_NO_PARTIAL_MESSAGES:
    '`textDeltaOf` was given a whole answer of a session of which it had seen no partial message, so that it returns nothing. Set `partialMessages: true`, or use `textOf`.',
  HEXAGENT_SESSION_OPEN:
    'A session has been idle for ten seconds, and nothing but open sessions keeps the process running: it does not exit before they end. The message names where the session was opened. Call `close()` or `finish()`, or open it with `await using`.',
  HEXAGENT_CACHE_MISSED:
    'The model service did not find the conversation in its cache, so that all of it is paid again. The message names the likely cause and what avoids it; `cache_missed` among the events of the session does as well.',
  HEXAGENT_NOT_RECORDED:
    'A tape cannot be written, for example because the disk is full. The conversation continues without it. The message names the file and the error of the system.',
  HEXAGENT_NOT_INSPECTED:
    'The variable `HEXAGENT_INSPECT` is set, and the program runs without the inspector: `@hexagent/inspector` is not installed, `NODE_ENV` is production, or the page cannot be served. The message names which.',
  HEXAGENT_CHAT_FAILED:
    'A request of a chat page could not be answered, or an agent behind one ended by itself. The page gets only the fact; the message names the cause. With `onError` of `createChat()` the program receives it instead.',
} as const;

export type WarningCode = keyof typeof warningMeanings;

/** A failure of the program's own parts that no promise reports. */
export interface Warning {
  readonly code: WarningCode;
  /** Which callback or server, such as `hook PreToolUse`: of one source a process is warned once. */
  readonly source: string;
  /** One sentence for the author of the program. Holds no secrets of ours; what a callback threw is in it. */
  readonly message: string;
  /** What was thrown. */
  readonly cause?: unknown;
}

/** Receives warnings, synchronously. What it throws is ignored. */
export type WarningListener = (warning: Warning) => void;
