import { useEffect, useRef } from 'react';
import type { SessionSummary } from './api.ts';

interface Props {
  readonly session: SessionSummary;
  onDelete(): void;
  onClose(): void;
}

/** The browser keeps the focus in a modal dialog, closes it with Escape, and gives the focus back. */
export function DeleteDialog({ session: { title, state }, onDelete, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const isAtWork = state === 'running' || state === 'awaiting-approval';
  return (
    <dialog ref={dialog} aria-labelledby="delete-title" aria-describedby="delete-text" onClose={onClose}>
      <h2 id="delete-title">Delete chat?</h2>
      <p id="delete-text">
        This deletes <strong>{title || 'this chat'}</strong>.{isAtWork && ' The agent is still working in it.'}
      </p>
      <form method="dialog" className="buttons">
        <button type="submit">Cancel</button>
        <button type="submit" className="danger" onClick={onDelete}>
          Delete
        </button>
      </form>
    </dialog>
  );
}
