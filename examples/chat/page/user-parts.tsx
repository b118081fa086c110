import type { ChatPart } from './wire.ts';

/** What a person wrote and attached. */
export function UserParts({ parts }: { readonly parts: readonly ChatPart[] }) {
  return parts.map((part, index) => {
    if (part.type === 'text') return part.text === '' ? null : <p key={index}>{part.text}</p>;
    if (part.type !== 'file') return null;
    const name = part.filename ?? 'Attachment';
    if (part.mediaType.startsWith('image/')) return <img key={index} src={part.url} alt={name} />;
    return (
      <p key={index} className="badge">
        {name}
      </p>
    );
  });
}
