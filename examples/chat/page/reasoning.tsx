/** Closed at first, since most readers need only the answer. */
export function Reasoning({ text, streaming }: { readonly text: string; readonly streaming: boolean }) {
  if (text.trim() === '' && !streaming) return null;
  return (
    <details className="reasoning">
      <summary>
        <span className={streaming ? 'shimmer' : undefined}>{streaming ? 'Thinking' : 'Thoughts'}</span>
      </summary>
      <p>{text}</p>
    </details>
  );
}
