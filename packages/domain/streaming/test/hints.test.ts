import { describe, expect, it } from 'vitest';
import type { AgentMessage } from '@hexagent/ports';
import { hintOf } from '@hexagent/streaming';
import { result, assistantText } from './support.ts';

const retry = (error_status: number | null): object => ({ type: 'system', subtype: 'api_retry', error_status });
const refused = (api_error_status: number | null, text = 'API Error'): object =>
  result({ is_error: true, terminal_reason: 'api_error', api_error_status, result: text });

describe('A hint', () => {
  it.each([
    [400, 'invalid_request'],
    [401, 'authentication'],
    [403, 'permission'],
    [404, 'not_found'],
    [413, 'too_large'],
    [429, 'rate_limit'],
    [500, 'service'],
    [503, 'service'],
    [529, 'overloaded'],
  ])('for the status %i is %s, at the first retry and at the end', (status, kind) => {
    for (const message of [retry(status), refused(status)])
      expect(hintOf(message as AgentMessage)).toMatchObject({ kind, remedy: expect.stringMatching(/\w/) });
  });

  it.each([
    ['a retry without a status', retry(null), 'connection'],
    // The text of the CLI.
    ['a refused connection', refused(null, 'API Error: Connection refused (ECONNREFUSED)'), 'connection'],
    [
      'a lost connection',
      refused(null, 'API Error: Connection dropped (ECONNRESET). Check the gateway.'),
      'connection',
    ],
    ['missing credentials', refused(null, 'Not logged in · Please run /login'), 'authentication'],
    ['a retry without credentials of a cloud', { ...retry(null), error: 'cloud_credential_error' }, 'authentication'],
  ])('for %s is reported without a status', (_, message, kind) => {
    expect(hintOf(message as AgentMessage)).toMatchObject({ kind });
  });

  it('says that the session to resume does not exist', () => {
    const errors = ['No conversation found with session ID: 4ad1ce90-610e-477d-b2cc-93cd646700ba'];
    const message = result({ subtype: 'error_during_execution', is_error: true, errors });
    expect(hintOf(message as AgentMessage)).toMatchObject({
      kind: 'not_found',
      remedy: expect.stringContaining('The session to resume does not exist'),
    });
  });

  it.each([
    ['AWS', 'AWS_BEARER_TOKEN_BEDROCK'],
    ['Google Cloud', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ['Azure', 'ANTHROPIC_FOUNDRY_API_KEY'],
    ['Some Other', 'credentials of the service'],
  ])('names what the service of %s requires when its credentials are missing', (service, wanted) => {
    const message = refused(null, `API Error: Could not load ${service} credentials · None were found.`);
    expect(hintOf(message as AgentMessage)).toMatchObject({
      kind: 'authentication',
      remedy: expect.stringMatching(`${wanted}.*\`exact\`.*\`env\\.set\``),
    });
  });

  it.each([
    ['an answer', assistantText('API Error (ECONNRESET)')],
    ['a good result', result({ result: 'Not logged in, says the page (ECONNRESET)', api_error_status: 500 })],
    ['a failure of the agent', result({ is_error: true, result: 'It said (EPIPE)', terminal_reason: 'max_turns' })],
    ['a status that means nothing here', refused(418)],
    ['another event of the system', { type: 'system', subtype: 'status', error_status: 500 }],
  ])('is not given for %s', (_, message) => {
    expect(hintOf(message as AgentMessage)).toBeUndefined();
  });
});
