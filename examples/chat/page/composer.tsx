import { convertFileListToFileUIParts } from 'ai';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { AttachButton, Attachments } from './attachments.tsx';
import { focusFieldAtFirst } from './focus.ts';
import { isEmpty } from './use-turns.ts';
import type { Draft } from './wire.ts';

interface Props {
  readonly draft: Draft;
  /** The agent works: what is sent is queued. */
  readonly busy: boolean;
  readonly stopping: boolean;
  readonly disabled: boolean;
  onDraft(change: (draft: Draft) => Draft): void;
  onFailure(error: unknown): void;
  onSend(draft: Draft): void;
  onStop(): void;
}

export function Composer({ draft, busy, stopping, disabled, onDraft, onFailure, onSend, onStop }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const canSend = !isEmpty(draft) && !disabled;

  useEffect(focusFieldAtFirst, []);

  const submit = (): void => {
    if (canSend) onSend({ ...draft, text: draft.text.trim() });
    field.current?.focus();
  };
  const attach = (files: FileList): void => {
    convertFileListToFileUIParts(files).then(
      (parts) => onDraft((last) => ({ ...last, files: [...last.files, ...parts] })),
      onFailure,
    );
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes a character, Enter chooses it.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
    if (event.key === 'Escape' && busy) onStop();
  };
  return (
    <form className="composer" onSubmit={(event) => (event.preventDefault(), submit())}>
      <Attachments
        files={draft.files}
        onRemove={(file) => {
          onDraft((last) => ({ ...last, files: last.files.filter((each) => each !== file) }));
          field.current?.focus();
        }}
      />
      <AttachButton disabled={disabled} onFiles={attach} />
      <label htmlFor="message" className="visually-hidden">
        Message
      </label>
      <textarea
        ref={field}
        id="message"
        rows={1}
        value={draft.text}
        placeholder="Message the agent"
        aria-describedby="composer-hint"
        onChange={({ target }) => onDraft((last) => ({ ...last, text: target.value }))}
        onPaste={({ clipboardData }) => clipboardData.files.length > 0 && attach(clipboardData.files)}
        onKeyDown={onKeyDown}
      />
      {busy && (
        <button type="button" className="stop" onClick={onStop} disabled={stopping}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <rect x="6" y="6" width="8" height="8" rx="1.5" />
          </svg>
          <span>{stopping ? 'Stopping' : 'Stop'}</span>
        </button>
      )}
      {(!busy || canSend) && (
        <button type="submit" className="primary" disabled={!canSend}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M10 16V4M5 9l5-5 5 5" />
          </svg>
          <span>Send</span>
        </button>
      )}
      <p id="composer-hint" className="hint">
        {busy ? 'Enter to queue a message, Esc to stop' : 'Enter to send, Shift+Enter for a new line'}
      </p>
    </form>
  );
}
