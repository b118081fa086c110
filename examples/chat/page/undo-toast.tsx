import { useEffect, useState } from 'react';

interface Props {
  readonly text: string;
  onUndo(): void;
  /** It can no longer be undone. */
  onExpire(): void;
}

const shownMs = 8000;

/** Waits while it is pointed at or has the focus, so that there is time to press it. */
export function UndoToast({ text, onUndo, onExpire }: Props) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(onExpire, shownMs);
    return () => clearTimeout(timer);
  }, [isHeld, onExpire]);
  return (
    <div
      className="toast"
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
      <button type="button" onClick={onUndo}>
        Undo
      </button>
    </div>
  );
}
