import { Fragment, memo, type ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

/** The part of Markdown that models write most: code, lists, headings, emphasis and links. Nothing is ever taken as HTML. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return <div className="markdown">{blocksOf(text).map(renderBlock)}</div>;
});

type Block =
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly string[] }
  | { readonly kind: 'paragraph'; readonly text: string };

const fence = /^```(\S*)/;
const item = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const heading = /^#{1,6}\s+(.*)$/;

function blocksOf(text: string): readonly Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const [, language] = fence.exec(line) ?? [];
    if (language !== undefined) {
      let end = at + 1;
      // A block that is still being written has no end yet.
      while (end < lines.length && !lines[end]?.startsWith('```')) end += 1;
      blocks.push({ kind: 'code', language, text: lines.slice(at + 1, end).join('\n') });
      at = end + 1;
    } else if (line.trim() === '') at += 1;
    else if (heading.test(line)) {
      blocks.push({ kind: 'heading', text: heading.exec(line)?.[1] ?? '' });
      at += 1;
    } else if (item.test(line)) {
      const number = item.exec(line)?.[1];
      const items: string[] = [];
      for (let match = item.exec(line); match; match = item.exec(lines[at] ?? '')) {
        items.push(match[2] ?? '');
        at += 1;
      }
      blocks.push({ kind: 'list', ordered: number !== undefined, start: Number(number ?? 1), items });
    } else {
      let end = at;
      while (end < lines.length && isParagraph(lines[end] ?? '')) end += 1;
      blocks.push({ kind: 'paragraph', text: lines.slice(at, end).join('\n') });
      at = end;
    }
  }
  return blocks;
}

const isParagraph = (line: string): boolean =>
  line.trim() !== '' && !fence.test(line) && !item.test(line) && !heading.test(line);

function renderBlock(block: Block, index: number): ReactNode {
  switch (block.kind) {
    case 'code':
      return (
        <div key={index} className="code">
          <pre tabIndex={0} aria-label={block.language ? `Code, ${block.language}` : 'Code'}>
            <code>{block.text}</code>
          </pre>
          <CopyButton text={block.text} label="Copy code" />
        </div>
      );
    case 'heading':
      return <h3 key={index}>{inline(block.text)}</h3>;
    case 'list': {
      const items = block.items.map((text, at) => <li key={at}>{inline(text)}</li>);
      return block.ordered ? (
        <ol key={index} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={index}>{items}</ul>
      );
    }
    default:
      return <p key={index}>{inline(block.text)}</p>;
  }
}

const marks = /(`[^`]+`)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((https?:[^)\s]+)\)/g;

function inline(text: string): readonly ReactNode[] {
  const nodes: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, code, strong, emphasis, label, address] = match;
    nodes.push(<Fragment key={from}>{text.slice(from, match.index)}</Fragment>);
    const key = `${match.index}m`;
    if (code) nodes.push(<code key={key}>{code.slice(1, -1)}</code>);
    else if (strong) nodes.push(<strong key={key}>{strong}</strong>);
    else if (emphasis) nodes.push(<em key={key}>{emphasis}</em>);
    else
      nodes.push(
        <a key={key} href={address} target="_blank" rel="noreferrer noopener">
          {label}
        </a>,
      );
    from = match.index + whole.length;
  }
  nodes.push(<Fragment key="end">{text.slice(from)}</Fragment>);
  return nodes;
}
