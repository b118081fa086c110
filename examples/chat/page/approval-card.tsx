import { useState } from 'react';
import { Card, useAnswer, type FormProps } from './card.tsx';
import { Input } from './input.tsx';
import { Notice } from './notice.tsx';
import { lastsIn, offered, suggestionText } from './suggestions.ts';
import { descriptorOf, reasonOf, requestOf } from './tools.ts';

export function ApprovalCard({ part, onAnswer }: FormProps) {
  const descriptor = descriptorOf(part);
  const { title, blockedPath } = descriptor;
  const all = offered(descriptor);
  const choices = all.filter(({ note }) => note === undefined);
  const reason = reasonOf(part);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [denying, setDenying] = useState(false);
  const [wish, setWish] = useState('');
  const { send, sending, failure } = useAnswer(onAnswer);

  const toggle = (index: number): void => {
    const next = new Set(chosen);
    if (!next.delete(index)) next.add(index);
    setChosen(next);
  };
  const deny = (): void => send({ approved: false, ...(wish.trim() && { reason: wish.trim() }) });
  return (
    <Card label="Permission needed" title={title ?? requestOf(part)}>
      {reason && <p className="card-text">{reason}</p>}
      <Input part={part} />
      {blockedPath && (
        <p className="card-text">
          Path: <code>{blockedPath}</code>
        </p>
      )}
      {choices.length > 0 && (
        <fieldset disabled={sending}>
          <legend>For next time</legend>
          {choices.map(({ suggestion, index }) => (
            <label key={index} className="choice">
              <input type="checkbox" checked={chosen.has(index)} onChange={() => toggle(index)} />
              <span>
                {suggestionText(suggestion)} <span className="badge">{lastsIn(suggestion)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {all.map(
        ({ suggestion, index, note }) =>
          note !== undefined && (
            <p key={index} className="card-text">
              Not offered: “{suggestionText(suggestion)}”. {note}
            </p>
          ),
      )}
      {denying && (
        <label className="field">
          Reason (optional)
          <input
            autoFocus
            value={wish}
            placeholder="What should the agent do instead?"
            onChange={(event) => setWish(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') deny();
              if (event.key === 'Escape') setDenying(false);
            }}
          />
        </label>
      )}
      {failure !== undefined && <Notice error={failure} />}
      <div className="buttons">
        {denying ? (
          <>
            <button type="button" className="danger" disabled={sending} onClick={deny}>
              Deny
            </button>
            <button type="button" className="quiet" disabled={sending} onClick={() => setDenying(false)}>
              Cancel
            </button>
          </>
        ) : (
          <>
            <button
              type="button"
              className="primary"
              disabled={sending}
              onClick={() => send({ approved: true, suggestions: [...chosen].toSorted((a, b) => a - b) })}
            >
              {chosen.size > 0 ? 'Allow' : 'Allow once'}
            </button>
            <button type="button" disabled={sending} onClick={() => setDenying(true)}>
              Deny
            </button>
          </>
        )}
      </div>
    </Card>
  );
}
