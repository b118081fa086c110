/* Asks you about each call that no rule decides, and remembers what you allow for the session. */
import { createInterface } from 'node:readline/promises';
import { allow, deny, openSession, rulesToRemember, type Ask, type AskHandler } from '@hexagent/sdk';

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const left = new AbortController(); // aborts by Ctrl-C and Ctrl-D
const leave = (): void => left.abort();
terminal.once('close', leave);

async function askPerson(ask: Ask) {
  if (ask.kind !== 'call') return deny('There are only calls to decide here.');
  // What the CLI would store; empty where it suggests no rule.
  const rules = rulesToRemember(ask.request);
  const always = rules.length > 0 ? `, a: yes, and ${rules.join(', ')} from now on` : '';
  const what = ask.tool === 'Bash' ? ask.input.command : JSON.stringify(ask.input);
  try {
    // Aborts when the agent no longer waits, as after an interrupt.
    const answer = await terminal.question(`${ask.tool}: ${what}\n  y: yes${always}, or why not: `, {
      signal: ask.signal,
    });
    if (answer === 'y') return allow();
    if (answer === 'a' && rules.length > 0) return allow({ remember: 'session' });
    return deny(answer === '' ? 'The person said no.' : answer);
  } catch {
    return deny('Nobody answered.');
  }
}

// The agent may ask about several calls at once: the person sees one question at a time.
let last: Promise<unknown> = Promise.resolve();
const onAsk: AskHandler = (ask) => {
  const answer = last.then(() => askPerson(ask));
  last = answer;
  return answer;
};

const session = await openSession({
  permissions: { allow: ['WebSearch'], deny: ['Bash(rm *)'] },
  onAsk,
  signal: left.signal,
});
try {
  const outcome = await session.send(process.argv[2] ?? 'Make a file for each month of this year.').result;
  if (outcome.kind === 'completed') {
    console.log(outcome.text);
    for (const { tool_name, tool_input } of outcome.result.permission_denials)
      console.log(`Not run: ${tool_name} ${JSON.stringify(tool_input)}`);
  }
  if (outcome.kind === 'failed') console.error(outcome.message);
} catch (error) {
  if (!left.signal.aborted) throw error;
  process.exitCode = 130;
} finally {
  terminal.off('close', leave);
  terminal.close();
  await session.close();
}
