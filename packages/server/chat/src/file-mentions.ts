import type { ContentBlock, UserInput } from '@hexagent/ports';
import type { UiMessage } from '@hexagent/ui-stream';

/** A mention. An `@` behind a letter, a digit or ASCII punctuation, as in an e-mail address, names no file for the agent. */
const mention = /(?<![!-~\p{L}\p{N}])@\S/u;

/**
 * The agent reads a file, a folder or a resource that a message names with `@`, without asking: of the rules, only a deny
 * rule with a path counts there. It searches for such names in the last text of a message only. So a text that has one is given to it
 * in two blocks, of which the second has the last word and names nothing. The model reads the same characters.
 */
export function withoutMentions(content: UserInput['content']): UserInput['content'] {
  if (typeof content !== 'string') return content.flatMap((block) => blocksOf(block));
  return mention.test(content) ? toBlocks(splitText(content)) : content;
}

/** Texts that were divided for the agent, as they were before. */
export function withWholeTexts(messages: readonly UiMessage[]): readonly UiMessage[] {
  return messages.map((message) =>
    message.role === 'user' ? { ...message, parts: joinParts(message.parts) } : message,
  );
}

function blocksOf(block: ContentBlock): readonly ContentBlock[] {
  const text = block.type === 'text' && 'text' in block ? block.text : undefined;
  return typeof text === 'string' && mention.test(text) ? toBlocks(splitText(text)) : [block];
}

function toBlocks(texts: readonly string[]): readonly ContentBlock[] {
  return texts.map((text) => ({ type: 'text', text }));
}

/** Splits before the last word of ASCII letters and digits, or else before the last character: then the end begins neither with `@` nor with `/`. */
function splitText(text: string): readonly [begin: string, end: string] {
  const { length } = text.trimEnd();
  let at = length;
  while (/^[A-Za-z0-9]$/.test(text.charAt(at - 1))) at -= 1;
  // One character may be two units of the text.
  if (at === length) at -= text.codePointAt(length - 2) === text.charCodeAt(length - 2) ? 1 : 2;
  return [text.slice(0, at), text.slice(at)];
}

function joinParts(parts: UiMessage['parts']): UiMessage['parts'] {
  const joined: UiMessage['parts'] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const text = before?.type === 'text' && part.type === 'text' ? `${before.text}${part.text}` : '';
    if (before?.type === 'text' && mention.test(text) && splitText(text)[0] === before.text)
      joined[joined.length - 1] = { ...before, text };
    else joined.push(part);
  }
  return joined;
}
