import { inputText } from './tools.ts';
import type { ToolPart } from './wire.ts';

/** The input of a call, field by field: a long text is shown as it is, since escapes hide what is to be approved. */
export function Input({ part }: { readonly part: ToolPart }) {
  const { input } = part;
  const raw = part.state === 'input-streaming' || typeof input !== 'object' || input === null || Array.isArray(input);
  const entries = raw ? [] : Object.entries(input);
  const [only] = entries;
  if (raw || (entries.length === 1 && typeof only?.[1] === 'string'))
    return <Pre label="Input" text={inputText(part)} />;
  return (
    <dl className="fields">
      {entries.map(([name, value]) => {
        const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
        const long = text.length > 90 || text.includes('\n');
        return [
          <dt key={name} className={long ? 'long' : undefined}>
            {name}
          </dt>,
          <dd key={`${name} value`} className={long ? 'long' : undefined}>
            {long ? <Pre label={name} text={text} /> : <code>{text}</code>}
          </dd>,
        ];
      })}
    </dl>
  );
}

/** A text that can be long: it scrolls, so it can have the focus. */
export function Pre({ label, text }: { readonly label: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <pre tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}
