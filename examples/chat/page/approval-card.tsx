import { useState } from 'react';
import { Card, useAnswer, type FormProps } from './card.tsx';
import { Input } from './input.tsx';
import { Notice } from './notice.tsx';
import { keptIn, reachesFurther, suggestionText } from './suggestions.ts';
import { descriptorOf, reasonOf, titleOf } from './tools.ts';
import type { Suggestion } from './wire.ts';

export function ApprovalCard({ part, onAnswer }: FormProps) {
  const { title, blockedPath, suggestions, refusedSuggestions = [] } = descriptorOf(part);
  const refusals = new Map(refusedSuggestions.map((refused) => [refused.index, refused.reason]));
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
    <Card label="May it run?" title={title ?? titleOf(part)}>
      {reason && <p className="card-text">{reason}</p>}
      <Input part={part} />
      {blockedPath && (
        <p className="card-text">
          It is about <code>{blockedPath}</code>
        </p>
      )}
      {suggestions.length > 0 && (
        <fieldset disabled={sending}>
          <legend>And with it, if you like</legend>
          {suggestions.map((suggestion, index) => (
            <label key={index} className="choice">
              <input
                type="checkbox"
                checked={chosen.has(index)}
                disabled={refusals.has(index)}
                onChange={() => toggle(index)}
              />
              <span>
                {suggestionText(suggestion)}
                <Reach suggestion={suggestion} />
                {refusals.has(index) && <small>{refusals.get(index)}</small>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {denying && (
        <label className="field">
          What the agent is told
          <input
            autoFocus
            value={wish}
            placeholder="Optional, such as what to do instead"
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
              Deny it
            </button>
            <button type="button" className="quiet" disabled={sending} onClick={() => setDenying(false)}>
              Back
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
              {chosen.size > 0 ? `Allow, with ${chosen.size} of these` : 'Allow once'}
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

function Reach({ suggestion }: { readonly suggestion: Suggestion }) {
  const file = keptIn(suggestion);
  return (
    <>
      {reachesFurther(suggestion) && <span className="badge warn">reaches further than this call</span>}
      {file && <span className="badge">kept in {file}</span>}
    </>
  );
}
