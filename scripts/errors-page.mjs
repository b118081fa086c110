// Writes docs/errors.md from the table of codes in packages/ports/src/errors.ts: `node scripts/errors-page.mjs`.
// scripts/test/errors-page.test.ts fails when the page is behind the table.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { remedies } from '../packages/ports/src/errors.ts';
import { warningMeanings } from '../packages/ports/src/warnings.ts';
import { root } from './workspace.mjs';

export const page = path.join(root, 'docs/errors.md');

/** What has happened when a code appears; what to do about it is in the table of codes itself. */
export const happenings = {
  AGENT_NOT_FOUND:
    'No CLI was found, or the file that was named is not there. The message lists every place that was searched.',
  AGENT_NOT_EXECUTABLE:
    'The file is there but may not be run; it is a folder or a batch file; or a relative entry of PATH would decide what runs it.',
  AGENT_INTERPRETER_MISSING:
    'The file is a script, and the program that its first line names is not there, or is named by a relative path.',
  AGENT_LIBC_MISMATCH:
    'The CLI was built for the other C library. The system itself would report that the file does not exist.',
  AGENT_START_FAILED: 'The system refused to start the CLI, or the private files for it could not be written.',
  AGENT_EXITED:
    'The agent left or was killed while a turn or a request was open. This is an `AgentExitedError`: it also has `exitCode`, `signal`, `stderr`, `lost` and `unterminated`.',
  CWD_MISSING:
    'The folder the agent should work in does not exist or is no folder; or none was named, and the one of the program was deleted or has a name that is not UTF-8.',
  AGENT_NOT_ENDED:
    'A process of the agent still runs after everything was tried: it may not be signalled, as behind a setuid program. `finish()` rejects with this, and the exit names the processes in `notEnded`. `close()` never rejects: there it is a warning.',
  ARGUMENT_TOO_LONG: 'An option became a longer argument than the system can pass to a program.',
  CHANNEL_CLOSED:
    'Something was written to an agent that has exited, or that has closed its input and runs on: then it is ended.',
  CONVERSATION_CLOSED:
    'A message or a request came after `finish()` or `close()`, or `close()` cut a turn off. On `query()`: a method was called after its end.',
  FRAME_MALFORMED: 'A line of the agent is not a JSON object. Nothing is thrown: an `observer` receives `bad_line`.',
  FRAME_INVALID: 'What was to be sent cannot be written as a valid line: the agent would exit on it.',
  HOST_CLOSED: 'A message or a request came to a session host after `drain()` or `close()`.',
  HOST_FULL:
    'A session host took no message: too many wait in the session, of the tenant or in the host. Nothing was stored.',
  INITIALIZE_FAILED: 'The agent refused the set-up. `session.ready` rejects with this.',
  INITIALIZE_TIMEOUT: 'The agent did not answer `initialize` in time. `session.ready` rejects with this.',
  LEASE_LOST:
    'A session host wrote to a store under a lease that another process has taken over, or lost its lease in the middle of its work. The agent here is ended.',
  LINE_TOO_LONG:
    'The agent wrote a line longer than `maxLineBytes` (256 MB), ended or not. The conversation ends: what came before can still be read, then everything that is open fails with this, and the agent is ended.',
  MESSAGE_REPEATED: 'A uuid of your own was used for a second message. It was refused before it was sent.',
  MESSAGES_DISCARDED:
    'A turn was not read while more than the soft mark (2 MB) arrived for it, and then a reader began.',
  REQUEST_FAILED: 'The agent answered a request of `session.control` or of a query’s methods with an error.',
  REQUEST_STALLED:
    'More than the hard mark (64 MB) of messages is unread, none of them was read for ten seconds, and the answer to a request or the end of an interrupted turn lies behind them. The agent may have carried out the request nevertheless.',
  REQUEST_TIMEOUT: 'The agent did not answer within the `timeoutMs` that the request was given.',
  RESULT_ERROR:
    'Only from `query()`: the agent ended with an error result. The result was yielded first, as officially. `openSession()` and `ask()` give an outcome of kind `failed` instead.',
  MCP_AUTH_NEEDED:
    'A server of `external()` needs a person to let this client in, or other credentials. `connect()` rejects with this.',
  MCP_NOT_READY:
    'MCP servers of a session are not connected. `session.mcp.ready()` and `reconnect()` reject with this, as `McpNotReady`: its `servers` name them, with the cause of each.',
  MCP_SDK_MISSING:
    '`@modelcontextprotocol/sdk` is not installed, and the program read `instance` of a server that `createSdkMcpServer()` made, or gave `external()` a `url`.',
  MCP_SERVER_FAILED:
    'A server of `external()` could not be started or reached, or refused. `connect()` rejects with this.',
  SESSION_CRASHING:
    'The agent of a hosted session ended again and again, so it is not started any more. The last end is the `cause`.',
  SESSION_HELD: 'Another process holds the lease of a hosted session, and drives it.',
  SESSION_NOT_FOUND:
    'A stored session was to be changed or copied, and none has that id where it was searched; a host was asked for a session that it does not have; or a copy was to end with a message that the session does not have.',
  STORE_FAILED:
    'A store in files could not be read or written, as on a full disk. What the call was to store may be stored or not.',
  STORE_TIMEOUT: 'A session store did not answer within `loadTimeoutMs`, so no agent was started.',
  SCHEMA_NOT_CONVERTIBLE:
    'A tool has a schema of zod 3, and zod-to-json-schema, which writes it as a JSON Schema for the model, is not installed.',
  NOT_OFFERED:
    'A function was called that the official package has and this one leaves out on purpose: what is in `./browser`, `./bridge` and `./extract`, and the five names without a type.',
};

const head = `<!-- Made by scripts/errors-page.mjs from packages/ports/src/errors.ts. Do not edit. -->
# Handle what goes wrong

What fails on purpose is an \`SdkError\`. Its \`code\` is stable, its \`message\` is prose with the values that matter, and its
\`remedy\` is what to do. What you can expect to happen, such as a denied tool or a failed turn, is a value and no error.

## The shortest way

\`\`\`ts
import { AgentExitedError, ask, SdkError } from '@hexagent/sdk';

try {
  const outcome = await ask('Which tests are slow?').outcome;
  if (outcome.kind === 'failed') console.log(outcome.cause, outcome.message, outcome.hint?.remedy ?? '');
  if (outcome.kind === 'completed') console.log(outcome.text);
} catch (error) {
  if (!SdkError.is(error)) throw error;
  console.error(error.code, error.message);
  console.error(error.remedy);
  if (error instanceof AgentExitedError) console.error(error.exitCode, error.signal, error.lost, error.stderr);
}
\`\`\`

## How it decides

- A turn that ends badly is a value: \`failed\`, with \`cause\` \`api\` (the model's service refused), \`limit\` (a limit of yours) or
  \`agent\` (the rest). With \`api\` there are a \`status\` and a \`hint\`. While the agent is still retrying, \`hintOf(message)\` gives
  the same for each \`api_retry\` message.
- A conversation that breaks is an error. It rejects the turn's \`result\` (\`outcome\` of \`ask()\`) and ends the loop that reads it.
- An abort is an \`AbortError\`, with the signal's reason as its \`cause\`. It is no \`SdkError\`: nothing failed.
- A wrong argument is a \`TypeError\` that names the option and the value. No program should recover from it.
- \`SdkError.is(error)\` and \`instanceof\` hold even when two copies of the package are loaded.
- No promise of ours becomes an unhandled rejection because you did not await it.

## When it goes wrong: the codes
`;

function section([code, remedy]) {
  return `### ${code}\n\n${happenings[code] ?? ''}\n\nRemedy: ${remedy}\n`;
}

const warningsHead = `## Warnings

A failure that no promise reports is a warning of the process: \`process.emitWarning\`, once for each callback or server,
with the stack of what was thrown. Listen with \`process.on('warning', …)\`, or give \`createSdk({ onWarning })\` a listener of your own. An
\`observer\` sees every such failure as it happens: with one, only its own failures and mistakes in options are warned of.

| code | what has happened |
|---|---|
`;

const warningRow = ([code, meaning]) => `| \`${code}\` | ${meaning} |`;

/** The whole page. */
export const errorsPage = () =>
  [
    head,
    ...Object.entries(remedies).map(section),
    `${warningsHead}${Object.entries(warningMeanings).map(warningRow).join('\n')}\n`,
  ].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, errorsPage());
