import type { ReceivedFrame } from '../wire.ts';
import type { Session } from './session.ts';

/** Whether the message is the command that compacts the conversation. */
export const isCompaction = ({ message }: ReceivedFrame): boolean => message?.content === '/compact';

/** What the CLI writes when it has compacted the conversation, with the summary of the model. Recording 10-hooks-subagent-model-compact. */
export function writeCompaction(session: Session, summary: string, uuid: string | undefined): void {
  const list = uuid === undefined ? {} : { user_message_uuids: [uuid] };
  session.status({ status: 'compacting' });
  session.status({ status: null, compact_result: 'success' });
  session.init(list);
  session.system('compact_boundary', { compact_metadata: { trigger: 'manual', pre_tokens: 100, post_tokens: 20 } });
  const content = `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n${summary}`;
  session.write({ ...userFrame(content), isSynthetic: true, isReplay: false });
  session.write({ ...userFrame('<local-command-stdout>Compacted </local-command-stdout>'), isReplay: true });
  session.result({ num_turns: 0, stop_reason: null, result: '', user_message_uuid: uuid, ...list });
}

const userFrame = (content: string): object => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
});
