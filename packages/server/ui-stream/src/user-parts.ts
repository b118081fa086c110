import { plainText, recordOf, recordsOf, textOr, type Fields } from './loose.ts';
import type { UiPart } from './ui-message.ts';

const command = /<command-name>\/?([^<]*)<\/command-name>/;
const commandArguments = /<command-args>([\s\S]*?)<\/command-args>/;

/** The message of a person, as a page shows it. */
export function userPartsOf(content: unknown): UiPart[] {
  const parts = typeof content === 'string' ? [] : recordsOf(content).map(partOf);
  const shown = parts.filter((part) => part !== undefined);
  return shown.length > 0 ? shown : [{ type: 'text', text: typeof content === 'string' ? asTyped(content) : '' }];
}

/** A command is stored in a form for the model; a person typed it with a slash. */
function asTyped(text: string): string {
  const name = text.trimStart().startsWith('<command-') ? command.exec(text)?.[1] : undefined;
  if (name === undefined) return text;
  return `/${name} ${commandArguments.exec(text)?.[1] ?? ''}`.trim();
}

function partOf(block: Fields): UiPart | undefined {
  const source = recordOf(block['source']);
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: asTyped(textOr(block['text'], '')) };
    case 'image':
      return fileOf(source, textOr(source['media_type'], 'image'), {});
    case 'document': {
      const name = textOr(block['title'], undefined);
      return fileOf(
        source,
        textOr(source['media_type'], 'application/pdf'),
        name === undefined ? {} : { filename: name },
      );
    }
    default:
      return undefined;
  }
}

function fileOf(source: Fields, mediaType: string, name: { filename?: string }): UiPart | undefined {
  const { type, data, url, content } = source;
  if (type === 'url' && typeof url === 'string') return { type: 'file', mediaType, url, ...name };
  if (type === 'base64' && typeof data === 'string')
    return { type: 'file', mediaType, url: `data:${mediaType};base64,${data}`, ...name };
  const text = type === 'text' ? textOr(data, '') : plainText(content);
  if (type !== 'text' && type !== 'content') return undefined;
  // Half of a surrogate pair cannot be encoded, and would make the whole history unreadable.
  const encoded = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
  return { type: 'file', mediaType: 'text/plain', url: `data:text/plain,${encoded}`, ...name };
}

const interruption = '[Request interrupted by user';
const output = /^<local-command-std(?:out|err)>([\s\S]*)<\/local-command-std(?:out|err)>$/;

/** Whether a text in the name of the user only reports that the turn was interrupted. */
export function isInterruption(text: string): boolean {
  return text.startsWith(interruption);
}

/** The output of a local command, if the text is one. */
export function commandOutputIn(text: string): string | undefined {
  return output.exec(text.trim())?.[1];
}
