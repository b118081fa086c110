import type { ContentBlock, ImageSource } from '@hexagent/ports';
import { isRecord } from '@hexagent/checks';
import type { ChatLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

const imageTypes: readonly Extract<ImageSource, { type: 'base64' }>['media_type'][] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
];

/**
 * The parts of a message of a page as what is sent to the model.
 * @throws {Refusal} for a part that is not text or a file that the model reads, and for too much.
 */
export function toContent(
  parts: readonly unknown[],
  commands: readonly string[],
  limits: ChatLimits,
): string | readonly ContentBlock[] {
  if (parts.length > limits.parts)
    throw new Refusal('MESSAGE_TOO_LARGE', `The message has more than ${limits.parts} parts.`);
  const blocks = parts.map(toBlock);
  const files = blocks.filter(({ type }) => type !== 'text').length;
  if (files > limits.files) throw new Refusal('MESSAGE_TOO_LARGE', `The message has more than ${limits.files} files.`);
  const texts = blocks.flatMap((block) => ('text' in block && typeof block.text === 'string' ? [block.text] : []));
  if (texts.reduce((sum, { length }) => sum + length, 0) > limits.textChars)
    throw new Refusal('MESSAGE_TOO_LARGE', `The text of the message is longer than ${limits.textChars} characters.`);
  if (files === 0 && texts.every((text) => text.trim() === ''))
    throw new Refusal('BAD_REQUEST', 'The message is empty.');
  texts.forEach((text) => checkCommand(text, commands));
  const [only] = texts;
  return only !== undefined && blocks.length === 1 ? only : blocks;
}

/**
 * The agent takes a text that begins with a slash for a command, in whichever part it is: `/model` would choose a model,
 * `/config` a setting, and `/clear` ends the history. A path, such as `/etc/hosts`, is not a command.
 */
function checkCommand(text: string, commands: readonly string[]): void {
  const name = /^\/(\S+)/.exec(text)?.[1];
  if (name === undefined || name.includes('/') || commands.includes(name)) return;
  throw new Refusal('COMMAND_NOT_ACCEPTED', `This server takes no command /${name.slice(0, 40)} from a page.`);
}

function toBlock(part: unknown): ContentBlock {
  if (isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string')
    return { type: 'text', text: part['text'] };
  if (isRecord(part) && part['type'] === 'file') return toFileBlock(part['url'], part['filename']);
  throw new Refusal('BAD_REQUEST', 'A part of the message is neither text nor a file.');
}

const address = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;charset=[a-z0-9-]+)?;base64,([a-z0-9+/]+={0,2})$/i;

/** The type in the `data:` address decides, since it belongs to the bytes; `mediaType` beside it may differ. */
function toFileBlock(url: unknown, filename: unknown): ContentBlock {
  const notAccepted = new Refusal('FILE_NOT_ACCEPTED', 'A file of the message is of a kind that is not accepted.');
  if (typeof url !== 'string') throw notAccepted;
  const [, type, data] = address.exec(url) ?? [];
  if (type === undefined || data === undefined || data.length % 4 !== 0) throw notAccepted;
  const title = typeof filename === 'string' ? { title: filename.slice(0, 200) } : {};
  const imageType = imageTypes.find((each) => each === type.toLowerCase());
  if (imageType !== undefined) return { type: 'image', source: { type: 'base64', media_type: imageType, data } };
  if (type.toLowerCase() === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, ...title };
  if (/^text\/|^application\/json$/i.test(type))
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: decodeText(data) }, ...title };
  throw notAccepted;
}

function decodeText(base64: string): string {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  // Calling a function for each would hold up every other request for a second, with a file of 12 MB.
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return new TextDecoder().decode(bytes);
}
