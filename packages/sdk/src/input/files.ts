import { anyText, record } from '@hexagent/checks';
import type { DocumentBlock, ImageBlock } from '@hexagent/ports';
import { decodedText, mediaTypeOf, type ImageType } from './media-type.ts';
import { readSource, type FileSource, type SourceFile } from './read-source.ts';

/** How a file is shown to the model. */
export interface FileOptions {
  /** What the model reads as its name. Default: that of the file; bytes have none. */
  readonly title?: string | undefined;
}

const fileOptions = record<FileOptions>({ title: anyText });

/**
 * An image for a message: `session.send(['What is this?', await image('shot.png')])`. PNG, JPEG, GIF and WebP, up to 22.5 MiB. Its type is
 * found by its first bytes. The agent scales down what is larger than the model's service takes.
 * @throws {TypeError} for what cannot be read, anything but an image, and an image that is too large.
 */
export async function image(source: FileSource): Promise<ImageBlock> {
  const { bytes, name } = await readSource(source);
  const type = mediaTypeOf(bytes);
  if (type !== undefined && type !== 'application/pdf') return imageBlock(bytes, type);
  const remedy = type === undefined ? '' : ' It is a PDF: pass it to file().';
  throw new TypeError(`${name} is not an image that the model reads, which are PNG, JPEG, GIF and WebP.${remedy}`);
}

/**
 * A file for a message: `session.send(['Sum this up.', await file('report.pdf')])`. A PDF, a text in UTF-8 or an image, up to
 * 22.5 MiB. Its type is found by its content.
 * @throws {TypeError} for what cannot be read, a file of another type, and one that is too large.
 */
export async function file(source: FileSource, options: FileOptions = {}): Promise<ImageBlock | DocumentBlock> {
  const { title } = fileOptions(options, 'options');
  const read = await readSource(source);
  const type = mediaTypeOf(read.bytes);
  if (type === undefined || type === 'application/pdf') return documentBlock(read, type, title ?? read.title);
  return imageBlock(read.bytes, type);
}

function imageBlock(bytes: Buffer, type: ImageType): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: type, data: bytes.toString('base64') } };
}

function documentBlock(
  { bytes, name }: SourceFile,
  type: 'application/pdf' | undefined,
  title: string | undefined,
): DocumentBlock {
  const named = title === undefined ? {} : { title };
  if (type !== undefined)
    return { type: 'document', source: { type: 'base64', media_type: type, data: bytes.toString('base64') }, ...named };
  const data = decodedText(bytes);
  if (data !== undefined)
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, ...named };
  throw new TypeError(
    `${name} is of a type that the model does not read. Pass a PDF, an image (PNG, JPEG, GIF, WebP), or a text in UTF-8.`,
  );
}
