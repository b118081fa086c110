import { createUiTranslator, type UiChunk, type UiTranslator } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import { approval, assistant, call, denied, result, system, toolResult, translate, typesOf } from './messages.ts';

function asked(): UiTranslator {
  const translator = createUiTranslator({ messageId: 'answer' });
  translator.push(assistant('m1', call('t1')));
  translator.approvalRequested(approval('a1', 't1'));
  return translator;
}

const isAboutApproval = ({ type }: UiChunk): boolean =>
  type.startsWith('tool-approval') || type.startsWith('tool-output');

describe('A call that needs an approval', () => {
  it('shows the request, and what the agent suggests', () => {
    const translator = createUiTranslator({ messageId: 'answer' });
    translator.push(assistant('m1', call('t1')));
    const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] as const;
    const more = { suggestions, title: 'Run ls?', blockedPath: '/x', agentId: undefined, reason: 'a rule' };
    expect(translator.approvalRequested(approval('a1', 't1', more))).toEqual([
      {
        type: 'tool-approval-request',
        approvalId: 'a1',
        toolCallId: 't1',
        reason: 'a rule',
        approvalDescriptor: { kind: 'permission', suggestions, title: 'Run ls?', blockedPath: '/x' },
      },
    ]);
  });

  it('that is allowed runs, and has a result', () => {
    const translator = asked();
    expect(translator.approvalSettled({ id: 'a1', approved: true })).toEqual([
      { type: 'tool-approval-response', approvalId: 'a1', approved: true },
    ]);
    expect(typesOf(translator.push(toolResult('t1', 'ok')))).toEqual(['tool-output-available']);
  });

  it('that is denied has no result but its denial', () => {
    const translator = asked();
    expect(translator.approvalSettled({ id: 'a1', approved: false, reason: 'no' })).toEqual([
      { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 'no' },
    ]);
    expect(translator.push(denied('t1', 'no'))).toEqual([{ type: 'tool-output-denied', toolCallId: 't1' }]);
  });

  it('that the agent withdraws counts as not approved', () => {
    expect(asked().approvalSettled({ id: 'a1', approved: true, cancelled: true })).toEqual([
      { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 'cancelled' },
    ]);
  });

  it('that ran was allowed elsewhere, which a page must receive before the result', () => {
    expect(asked().push(toolResult('t1', 'ok'))).toMatchObject([
      { type: 'tool-approval-response', approved: true },
      { type: 'tool-output-available' },
    ]);
  });

  it('that was denied and ran nevertheless ends as one that was allowed', () => {
    const translator = asked();
    translator.approvalSettled({ id: 'a1', approved: false });
    expect(translator.push(toolResult('t1', 'ok'))).toMatchObject([
      { type: 'tool-approval-response', approved: true },
      { type: 'tool-output-available' },
    ]);
  });

  it('keeps its result when the answer is reported afterwards', () => {
    const translator = asked();
    translator.push(denied('t1', 'no'));
    expect(translator.approvalSettled({ id: 'a1', approved: false })).toEqual([]);
    expect(translator.approvalRequested(approval('a2', 't1'))).toEqual([]);
  });

  it('that is answered before the call was read has both behind the call', () => {
    const translator = createUiTranslator({ messageId: 'answer' });
    translator.approvalRequested(approval('a1', 't1'));
    translator.approvalSettled({ id: 'a1', approved: true });
    expect(typesOf(translator.push(assistant('m1', call('t1'))))).toEqual([
      'start-step',
      'tool-input-available',
      'tool-approval-request',
      'tool-approval-response',
    ]);
  });

  it('can have a second request for approval', () => {
    const translator = asked();
    expect(translator.approvalRequested(approval('a2', 't1'))).toMatchObject([{ approvalId: 'a2' }]);
    expect(translator.approvalSettled({ id: 'a2', approved: true })).toMatchObject([{ approvalId: 'a2' }]);
  });

  it('is denied when the turn ends before an answer', () => {
    expect(
      asked()
        .push(result({ terminal_reason: 'aborted_tools', is_error: true }))
        .filter(isAboutApproval),
    ).toEqual([
      { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 'It was interrupted.' },
      { type: 'tool-output-denied', toolCallId: 't1' },
    ]);
  });
});

describe('A call that the agent denies without asking', () => {
  it('shows an automatic denial', () => {
    const refused = system('permission_denied', { tool_use_id: 't1', tool_name: 'Bash', message: 'A rule.' });
    const chunks = translate([assistant('m1', call('t1')), refused, denied('t1', 'A rule.', 'permission-rule')]);
    expect(chunks.filter(isAboutApproval)).toEqual([
      {
        type: 'tool-approval-request',
        approvalId: 'denied:t1',
        toolCallId: 't1',
        reason: 'A rule.',
        isAutomatic: true,
      },
      { type: 'tool-approval-response', approvalId: 'denied:t1', approved: false, reason: 'A rule.' },
      { type: 'tool-output-denied', toolCallId: 't1' },
    ]);
  });

  it('shows the denial that its result is', () => {
    const chunks = translate([assistant('m1', call('t1')), denied('t1', 'A hook.', 'permission-rule')]);
    expect(chunks.filter(isAboutApproval)).toMatchObject([
      { type: 'tool-approval-request', reason: 'A hook.' },
      { type: 'tool-approval-response', approved: false },
      { type: 'tool-output-denied' },
    ]);
  });
});
