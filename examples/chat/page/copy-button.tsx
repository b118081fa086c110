import { useEffect, useState } from 'react';

/** Copies a text. Left out where the browser does not let pages do that, as over plain HTTP from another machine. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Not copied'>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  if (!window.isSecureContext) return null;
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied'),
      () => setOutcome('Not copied'),
    );
  return (
    <button type="button" className="action" aria-label={outcome ?? label} onClick={copy}>
      {outcome ?? 'Copy'}
    </button>
  );
}
