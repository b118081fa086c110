/** Folded: who wants to know how an answer came about, opens it. */
export function Reasoning({ text, streaming }: { readonly text: string; readonly streaming: boolean }) {
  if (text.trim() === '' && !streaming) return null;
  return (
    <details className="reasoning">
      <summary>
        <span className={streaming ? 'shimmer' : undefined}>{streaming ? 'Thinking' : 'Thought about it'}</span>
      </summary>
      <p>{text}</p>
    </details>
  );
}
