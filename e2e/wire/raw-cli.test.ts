import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  controlAnswer,
  hermeticHome,
  isAlive,
  processesMentioning,
  runCli,
  userFrame,
  type CliRun,
  type RawFrame,
  type RunCliOptions,
} from '@hexagent/testing/cli';
import {
  apiError,
  cut,
  errorEvent,
  gate,
  lastUserText,
  reply,
  startLoopback,
  text,
  toolResults,
  toolUse,
  type Loopback,
} from '@hexagent/testing/loopback';
import { expect, it, vi } from 'vitest';
import { cli, withCli } from '../support/cli.ts';

// The CLI and the loopback model without the SDK: the other tests rely on this behaviour.

async function start(loopback: Loopback, options: Partial<RunCliOptions> = {}): Promise<CliRun> {
  return await runCli({ cli, loopback, stdinLines: [userFrame('Hello')], ...options });
}

/** A delta of the model's answer, with `--include-partial-messages`. */
function delta({ event }: RawFrame): boolean {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'content_block_delta';
}

const askingPermission = { args: ['--permission-prompt-tool=stdio'] };

withCli('The CLI and the loopback model', () => {
  it('hold a conversation of two turns, and the CLI exits when its stdin closes', async () => {
    await using loopback = await startLoopback(['Hello, person', 'Bye']);
    await using run = await start(loopback);
    expect(await run.frame('system/init')).toMatchObject({ cwd: run.home.cwd, apiKeySource: 'ANTHROPIC_API_KEY' });
    expect(await run.frame('assistant')).toMatchObject({
      message: { content: [{ type: 'text', text: 'Hello, person' }] },
    });
    expect(await run.frame('result')).toMatchObject({ subtype: 'success', is_error: false, result: 'Hello, person' });
    await run.send(userFrame('And bye'));
    expect(await run.frame('result')).toMatchObject({ result: 'Bye' });
    run.end();
    expect(await run.exit).toEqual({ code: 0, signal: null, stderr: '' });
    expect(loopback.requests.map(lastUserText)).toEqual(['Hello', 'And bye']);
    expect(loopback.others).toEqual([]);
  });

  it('repeat the id of a request, of any type, and ignore an answer without a request', async () => {
    await using loopback = await startLoopback(['Still here']);
    const ask = (id: object): object => ({ type: 'control_request', ...id, request: { subtype: 'nonsense' } });
    const ids = [{ request_id: 5 }, { request_id: { a: 1 } }, { request_id: null }, { request_id: '' }, {}];
    const answers = ids.map((id) => ({
      type: 'control_response',
      response: { subtype: 'success', ...id, response: {} },
    }));
    await using run = await start(loopback, { stdinLines: [...ids.map(ask), ...answers, userFrame('Hello')] });
    expect(await run.frame('result')).toMatchObject({ result: 'Still here' });
    const answered = run.frames.filter(({ type }) => type === 'control_response').map(({ response }) => response);
    expect(answered).toHaveLength(ids.length);
    for (const [index, id] of ids.entries()) expect(answered[index]).toMatchObject({ subtype: 'error', ...id });
    expect(answered.at(-1)).not.toHaveProperty('request_id');
  });

  it('try again after an overload, and report it', async () => {
    await using loopback = await startLoopback([apiError(529), 'At last']);
    await using run = await start(loopback);
    expect(await run.frame('system/api_retry')).toMatchObject({ attempt: 1, error_status: 529 });
    expect(await run.frame('result')).toMatchObject({ result: 'At last' });
  });

  it('try again, and report it, when a stream breaks inside a block', async () => {
    const door = gate();
    await using loopback = await startLoopback([text(['half a sen', door, cut()]), 'A whole sentence']);
    await using run = await start(loopback, { args: ['--include-partial-messages'] });
    await run.frame(delta);
    door.open();
    expect(await run.frame('system/api_retry')).toMatchObject({ attempt: 1, error_status: null });
    expect(await run.frame('result')).toMatchObject({ result: 'A whole sentence', is_error: false });
  });

  it('keep a whole block and ask the model to continue when the stream breaks after it', async () => {
    const door = gate();
    await using loopback = await startLoopback([[text('The first half,'), door, cut()], ' the second half']);
    await using run = await start(loopback);
    expect(await run.frame('assistant')).toMatchObject({ message: { content: [{ text: 'The first half,' }] } });
    door.open();
    expect(await run.frame('user')).toMatchObject({ isSynthetic: true });
    expect(await run.frame('assistant')).toMatchObject({ message: { content: [{ text: ' the second half' }] } });
    expect(await run.frame('result')).toMatchObject({ is_error: false });
  });

  it('try again without streaming, and without a report, when a stream has an error', async () => {
    await using loopback = await startLoopback([text(['half a sen', errorEvent()]), 'A whole sentence']);
    await using run = await start(loopback);
    expect(await run.frame('result')).toMatchObject({ result: 'A whole sentence', is_error: false });
    expect(loopback.requests.map((request) => request.body.stream)).toEqual([true, false]);
    expect(run.frames.some((frame) => frame.subtype === 'api_retry')).toBe(false);
  });

  it('report why the model stopped', async () => {
    await using loopback = await startLoopback(() => reply('No.', { stopReason: 'refusal' }));
    await using run = await start(loopback);
    expect(await run.frame('result')).toMatchObject({ is_error: true, stop_reason: 'refusal' });
  });
});

withCli('A request of the CLI beside the conversation', () => {
  it('does not use up an ordered script', async () => {
    await using loopback = await startLoopback(['One', 'Two']);
    await using run = await start(loopback, { stdinLines: [] });
    await run.request('initialize', { promptSuggestions: true });
    await run.send(userFrame('First'));
    expect(await run.frame('result')).toMatchObject({ result: 'One' });
    const title = await run.request('generate_session_title', { description: 'Fix the parser', persist: false });
    expect(title).toMatchObject({ response: { response: { title: 'Loopback session' } } });
    await run.request('set_model', { model: 'claude-unheard-of' });
    await run.send(userFrame('Second'));
    expect(await run.frame('result')).toMatchObject({ result: 'Two' });
    expect(await run.frame('prompt_suggestion')).toMatchObject({ suggestion: 'go on' });
    expect(loopback.requests.map((request) => request.body.model)).toEqual([expect.any(String), 'claude-unheard-of']);
    expect(loopback.others.map((request) => request.side)).toEqual(['title', 'model-check', 'suggestion']);
  });

  it('is answered when it counts tokens', async () => {
    await using loopback = await startLoopback(['One']);
    await using run = await start(loopback);
    await run.frame('result');
    expect(await run.request('get_context_usage')).toMatchObject({ response: { subtype: 'success' } });
    expect(new Set(loopback.others.map((request) => request.path))).toEqual(
      new Set(['/v1/messages/count_tokens?beta=true']),
    );
  });

  it('goes to no other address: a proxy for all of them receives nothing', async () => {
    await using loopback = await startLoopback([toolUse('Bash', { command: 'true' }), 'Done']);
    const proxied = { HTTPS_PROXY: loopback.url, HTTP_PROXY: loopback.url, NO_PROXY: '127.0.0.1' };
    await using run = await start(loopback, { env: proxied });
    expect(await run.frame('result')).toMatchObject({ result: 'Done' });
    run.end();
    await run.exit;
    expect(loopback.others).toEqual([]);
  });
});

withCli('A hermetic run of the CLI', () => {
  it('has nothing of the user who runs it', async () => {
    vi.stubEnv('HEXAGENT_PLANTED', 'a secret of the person');
    await using loopback = await startLoopback([toolUse('Bash', { command: 'env' }), 'Done']);
    await using run = await start(loopback, askingPermission).finally(() => vi.unstubAllEnvs());
    const asked = await run.frame('control_request/can_use_tool');
    await run.send(controlAnswer(asked, { behavior: 'allow' }));
    const [printed] = toolResults(await loopback.received(2));
    expect(printed?.text).toContain(`HOME=${run.home.home}`);
    expect(printed?.text).not.toContain('HEXAGENT_PLANTED');
  });

  it('leaves no process and no file, even with a tool running in a session of its own', async () => {
    await using loopback = await startLoopback([toolUse('Bash', { command: 'echo $$ > pid; exec tail -f /dev/null' })]);
    await using place = await hermeticHome();
    const run = await start(loopback, { ...askingPermission, home: place });
    const asked = await run.frame('control_request/can_use_tool');
    await run.send(controlAnswer(asked, { behavior: 'allow' }));
    await expect.poll(() => existsSync(join(place.cwd, 'pid'))).toBe(true);
    await run.stop();
    expect(isAlive(run.pid)).toBe(false);
    expect(processesMentioning(place.root)).toEqual([]);
    await place.remove();
    expect(existsSync(place.root)).toBe(false);
  });
});
