import { recordsOf, textOr, type Fields } from './loose.ts';
import type { UiCitation } from './ui-chunk.ts';

/** Where a text is taken from, as a page reads it; `undefined` when there is no citation. */
export function citationsOf(citations: unknown): UiCitation[] | undefined {
  const found = recordsOf(citations).map(citationOf);
  return found.length === 0 ? undefined : found;
}

function citationOf(citation: Fields, index: number): UiCitation {
  const { url, title, document_title: documentTitle, cited_text: citedText, source } = citation;
  const cited = typeof citedText === 'string' && citedText !== '' ? { citedText } : {};
  const name = textOr(title, textOr(documentTitle, undefined));
  const address = textOr(url, textOr(source, undefined));
  if (address !== undefined)
    return {
      source: {
        type: 'source',
        sourceType: 'url',
        id: address,
        url: address,
        ...(name !== undefined && { title: name }),
      },
      ...cited,
    };
  const place = citation['document_index'];
  const id = `document-${typeof place === 'number' ? place : index}`;
  return {
    source: { type: 'source', sourceType: 'document', id, mediaType: 'text/plain', title: name ?? id },
    ...cited,
  };
}
