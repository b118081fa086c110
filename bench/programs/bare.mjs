// The limit: the wire without any SDK. Starts the CLI, splits and parses lines, and answers requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const isScript = /\.mjs$/;
const newline = 0x0a;
/** The frames that the real CLI needs; the stand-ins do not. */
const cliFlags = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

export async function converse({ executable, env, on }) {
  const flags = env.ANTHROPIC_BASE_URL === undefined ? [] : cliFlags;
  const command = [...(isScript.test(executable) ? [process.execPath] : []), executable, ...flags];
  const child = spawn(command[0], command.slice(1), { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (frame) => child.stdin.write(`${JSON.stringify(frame)}\n`);
  send({ type: 'control_request', request_id: 'limit', request: { subtype: 'initialize', hooks: hooksIfAsked(env) } });
  send({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: 'go' }] },
    parent_tool_use_id: null,
    session_id: '',
  });
  const take = (line) => {
    const frame = JSON.parse(line);
    if (frame.type === 'control_request') send(answerTo(frame));
    else if (frame.type !== 'control_response') {
      if (on(frame) === false) child.kill();
      if (frame.type === 'result') child.stdin.end();
    }
  };
  let pieces = [];
  child.stdout.on('data', (chunk) => {
    const last = chunk.lastIndexOf(newline);
    if (last === -1) {
      pieces.push(chunk);
      return;
    }
    const head = chunk.subarray(0, last);
    const text = (pieces.length === 0 ? head : Buffer.concat([...pieces, head])).toString();
    pieces = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
    for (const line of text.split('\n')) take(line);
  });
  await once(child, 'close');
}

const hooksIfAsked = ({ BENCH_ASKS }) =>
  BENCH_ASKS === 'hook_callback' ? { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] } : undefined;

function answerTo({ request_id, request: { subtype, tool_use_id, message } }) {
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id, response: answers[subtype](tool_use_id, message) },
  };
}

const answers = {
  can_use_tool: (toolUseID) => ({ behavior: 'allow', updatedInput: {}, toolUseID }),
  hook_callback: () => ({}),
  mcp_message: (_, { id, params }) => ({
    mcp_response: {
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: String(params?.arguments?.a + params?.arguments?.b) }] },
    },
  }),
};
