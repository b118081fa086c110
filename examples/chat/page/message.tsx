import { memo } from 'react';
import { TurnFigures } from './bar.tsx';
import { CopyButton } from './copy-button.tsx';
import { Markdown } from './markdown.tsx';
import { Reasoning } from './reasoning.tsx';
import { ToolCall } from './tool-call.tsx';
import { isTool, nested, textOf } from './tools.ts';
import { UserParts } from './user-parts.tsx';
import type { Answer, ChatMessage, ChatPart, Phase } from './wire.ts';

interface Props {
  readonly message: ChatMessage;
  readonly phase: Phase;
  onAnswer(approval: string, answer: Answer): Promise<void>;
  /** Sends what it answers once more, where that makes sense. */
  readonly onAgain?: (() => void) | undefined;
  /** Its failure is shown beside it. */
  readonly isNoticed: boolean;
}

/** A message that is done never changes, so of a long conversation only the last one is drawn again. */
export const Message = memo(function Message({ message, phase, onAnswer, onAgain, isNoticed }: Props) {
  if (message.role === 'user')
    return (
      <article className="message user" aria-label="You">
        <UserParts parts={message.parts} />
      </article>
    );
  const text = isNoticed ? '' : textOf(message);
  return (
    <article className="message assistant" aria-label="Agent" aria-busy={phase === 'running'}>
      <Parts message={message} phase={phase} onAnswer={onAnswer} isNoticed={isNoticed} />
      {phase === 'over' && (
        <div className="message-foot">
          <TurnFigures metadata={message.metadata} />
          {text !== '' && <CopyButton text={text} label="Copy answer" />}
          {onAgain && (
            <button type="button" className="action" onClick={onAgain}>
              Try again
            </button>
          )}
        </div>
      )}
    </article>
  );
});

function Parts({ message, phase, onAnswer, isNoticed }: Omit<Props, 'onAgain'>) {
  const { roots, children } = nested(message);
  const { failure } = message.metadata ?? {};
  const render = (part: ChatPart, index: number) => {
    if (isTool(part)) {
      const own = children.get(part.toolCallId);
      return (
        <ToolCall key={part.toolCallId} part={part} phase={phase} onAnswer={onAnswer}>
          {own && <div className="nested">{own.map(render)}</div>}
        </ToolCall>
      );
    }
    switch (part.type) {
      case 'text':
        // The agent writes why a turn failed as its answer, too.
        return isNoticed && part.text === failure?.message ? null : <Markdown key={index} text={part.text} />;
      case 'data-subagent-text':
        return <Markdown key={index} text={part.data.text} />;
      case 'reasoning':
        return <Reasoning key={index} text={part.text} streaming={phase === 'running' && part.state === 'streaming'} />;
      case 'data-subagent-reasoning':
        return <Reasoning key={index} text={part.data.text} streaming={false} />;
      case 'data-compaction':
        return (
          <p key={index} className="aside">
            Earlier messages were summarized here.
          </p>
        );
      case 'data-task':
        // The call that started it shows the same.
        return part.data.toolCallId !== undefined ? null : (
          <p key={index} className="aside">
            {part.data.description ?? 'A background task'}: {part.data.status}
          </p>
        );
      case 'data-notice':
        return (
          <p key={index} className="aside">
            {part.data.text}
          </p>
        );
      case 'steering-message':
        return (
          <div key={index} className="message user">
            <UserParts parts={part.parts} />
          </div>
        );
      default:
        return null;
    }
  };
  return <>{roots.map(render)}</>;
}
