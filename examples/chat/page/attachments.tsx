import type { FileUIPart } from 'ai';
import { useRef } from 'react';

/** What the server takes. */
const accepted = 'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/*,application/json';

export function AttachButton({ disabled, onFiles }: { readonly disabled: boolean; onFiles(files: FileList): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" aria-label="Attach files" disabled={disabled} onClick={() => input.current?.click()}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M15.5 9l-5.7 5.7a3.3 3.3 0 0 1-4.7-4.7l6.2-6.2a2.2 2.2 0 0 1 3.1 3.1l-6.1 6.1a1.1 1.1 0 0 1-1.6-1.6L12 6.2" />
        </svg>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accepted}
        aria-label="Files"
        onChange={({ target }) => {
          if (target.files) onFiles(target.files);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}

interface Props {
  readonly files: readonly FileUIPart[];
  onRemove(file: FileUIPart): void;
}

/** The files of a message that is being written. */
export function Attachments({ files, onRemove }: Props) {
  if (files.length === 0) return null;
  return (
    <ul className="attachments" aria-label="Attachments">
      {files.map((file, index) => {
        const name = file.filename ?? 'File';
        return (
          <li key={index}>
            {file.mediaType.startsWith('image/') && <img src={file.url} alt="" />}
            <span>{name}</span>
            <button type="button" className="icon-button" aria-label={`Remove ${name}`} onClick={() => onRemove(file)}>
              <svg viewBox="0 0 20 20" aria-hidden="true">
                <path d="M5 5l10 10M15 5 5 15" />
              </svg>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
