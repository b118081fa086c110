import { memo } from 'react';
import { TurnFigures } from './bar.tsx';
import { Markdown } from './markdown.tsx';
import { Reasoning } from './reasoning.tsx';
import { ToolCall } from './tool-call.tsx';
import { isTool, nested } from './tools.ts';
import type { Answer, ChatMessage, ChatPart } from './wire.ts';

interface Props {
  readonly message: ChatMessage;
  /** The turn of this message still runs. */
  readonly live: boolean;
  onAnswer(approval: string, answer: Answer): Promise<void>;
}

/** A message that is done never changes, so of a long conversation only the last one is drawn again. */
export const Message = memo(function Message({ message, live, onAnswer }: Props) {
  if (message.role === 'user')
    return (
      <article className="message user" aria-label="You">
        {message.parts.map((part, index) => part.type === 'text' && <p key={index}>{part.text}</p>)}
      </article>
    );
  return (
    <article className="message assistant" aria-label="Agent" aria-busy={live}>
      <Parts message={message} live={live} onAnswer={onAnswer} />
      <TurnFigures metadata={message.metadata} />
    </article>
  );
});

function Parts({ message, live, onAnswer }: Props) {
  const { roots, children } = nested(message);
  const render = (part: ChatPart, index: number) => {
    if (isTool(part)) {
      const own = children.get(part.toolCallId);
      return (
        <ToolCall key={part.toolCallId} part={part} live={live} onAnswer={onAnswer}>
          {own && <div className="nested">{own.map(render)}</div>}
        </ToolCall>
      );
    }
    switch (part.type) {
      case 'text':
        return <Markdown key={index} text={part.text} />;
      case 'data-subagent-text':
        return <Markdown key={index} text={part.data.text} />;
      case 'reasoning':
        return <Reasoning key={index} text={part.text} streaming={live && part.state === 'streaming'} />;
      case 'data-subagent-reasoning':
        return <Reasoning key={index} text={part.data.text} streaming={false} />;
      case 'data-compaction':
        return (
          <p key={index} className="aside">
            Earlier parts of the conversation were summed up here.
          </p>
        );
      case 'data-task':
        // The call that started it shows the same.
        return part.data.toolCallId !== undefined ? null : (
          <p key={index} className="aside">
            {part.data.description ?? 'A task in the background'}: {part.data.status}
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
          <p key={index} className="aside">
            {part.parts.map((own) => (own.type === 'text' ? own.text : '')).join('')}
          </p>
        );
      default:
        return null;
    }
  };
  return <>{roots.map(render)}</>;
}
