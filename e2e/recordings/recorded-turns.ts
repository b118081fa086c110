import type { AnyMessage } from '@hexagent/ports';
import type { UiApproval } from '@hexagent/ui-stream';
import type { Recording } from '../../packages/testing/test/recordings/load-recording.ts';

/** What happens in a turn, as the caller of a translator learns of it. */
export type TurnEvent =
  | { readonly kind: 'message'; readonly message: AnyMessage }
  | { readonly kind: 'asked'; readonly approval: UiApproval }
  | { readonly kind: 'settled'; readonly id: string; readonly approved: boolean; readonly cancelled: boolean };

type Fields = Readonly<Record<string, unknown>>;

const hidden = new Set([
  'control_request',
  'control_response',
  'control_cancel_request',
  'keep_alive',
  'transcript_mirror',
]);

/** The turns of a recording; what follows the last result is a turn that was cut off. */
export function turnsOf({ entries }: Recording): readonly (readonly TurnEvent[])[] {
  const turns: TurnEvent[][] = [[]];
  for (const { dir, frame } of entries) {
    // One of them is `null`.
    const event = eventOf(dir, Object(frame) as Fields);
    if (event === undefined) continue;
    turns.at(-1)?.push(event);
    if (event.kind === 'message' && event.message.type === 'result') turns.push([]);
  }
  return turns.filter((turn) => turn.length > 0);
}

function eventOf(dir: string, frame: Fields): TurnEvent | undefined {
  const { type } = frame;
  if (dir === 'out' && typeof type === 'string' && !hidden.has(type))
    return frame['sdk_host_only'] === true ? undefined : { kind: 'message', message: frame as object as AnyMessage };
  if (dir === 'out' && type === 'control_request') return askedOf(frame);
  if (dir === 'out' && type === 'control_cancel_request')
    return { kind: 'settled', id: String(frame['request_id']), approved: false, cancelled: true };
  if (dir === 'in' && type === 'control_response') return settledOf(frame['response'] as Fields | undefined);
  return undefined;
}

const kinds: Readonly<Record<string, UiApproval['kind']>> = { AskUserQuestion: 'question', ExitPlanMode: 'plan' };

function askedOf(frame: Fields): TurnEvent | undefined {
  const request = frame['request'] as Fields;
  if (request['subtype'] !== 'can_use_tool') return undefined;
  const tool = String(request['tool_name']);
  return {
    kind: 'asked',
    approval: {
      id: String(frame['request_id']),
      toolUseId: String(request['tool_use_id']),
      tool,
      input: request['input'],
      kind: kinds[tool] ?? 'permission',
      // As the agent sent them.
      suggestions: request['permission_suggestions'] as UiApproval['suggestions'],
      agentId: request['agent_id'] as string | undefined,
      blockedPath: request['blocked_path'] as string | undefined,
    },
  };
}

function settledOf(response: Fields | undefined): TurnEvent | undefined {
  if (response === undefined) return undefined;
  const answer = response['response'];
  const approved = typeof answer === 'object' && answer !== null && 'behavior' in answer && answer.behavior === 'allow';
  return { kind: 'settled', id: String(response['request_id']), approved, cancelled: false };
}
