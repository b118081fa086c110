import { useState } from 'react';
import { Card, useAnswer, type FormProps } from './card.tsx';
import { Markdown } from './markdown.tsx';
import { Notice } from './notice.tsx';
import { descriptorOf, planOf } from './tools.ts';

export function PlanCard({ part, onAnswer }: FormProps) {
  const given = planOf(part);
  const { permissionModes = [] } = descriptorOf(part);
  const [plan, setPlan] = useState(given);
  const [does, setDoes] = useState<'reading' | 'editing' | 'revising'>('reading');
  const [wish, setWish] = useState('');
  const [editsFreely, setEditsFreely] = useState(false);
  const { send, sending, failure } = useAnswer(onAnswer);
  const edited = plan !== given;

  const approve = (): void =>
    send({ approved: true, ...(edited && { plan }), ...(editsFreely && { permissionMode: 'acceptEdits' as const }) });
  const revise = (): void => send({ approved: false, reason: wish.trim() });
  return (
    <Card label="Plan" title="Approve this plan?">
      {does === 'editing' ? (
        <label className="field">
          Plan (Markdown)
          <textarea
            autoFocus
            className="plan-editor"
            rows={Math.min(18, plan.split('\n').length + 2)}
            value={plan}
            onChange={(event) => setPlan(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setDoes('reading')}
          />
        </label>
      ) : (
        <div className="plan">
          <Markdown text={plan || '(The plan is empty.)'} />
        </div>
      )}
      {permissionModes.includes('acceptEdits') && (
        <label className="choice">
          <input
            type="checkbox"
            checked={editsFreely}
            disabled={sending}
            onChange={() => setEditsFreely(!editsFreely)}
          />
          <span>
            Allow all file edits <span className="badge">in this chat</span>
          </span>
        </label>
      )}
      {does === 'revising' && (
        <label className="field">
          What should change?
          <input
            autoFocus
            value={wish}
            onChange={(event) => setWish(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && wish.trim()) revise();
              if (event.key === 'Escape') setDoes('reading');
            }}
          />
        </label>
      )}
      {failure !== undefined && <Notice error={failure} />}
      <div className="buttons">
        {does === 'revising' ? (
          <>
            <button type="button" className="primary" disabled={sending || wish.trim() === ''} onClick={revise}>
              Send
            </button>
            <button type="button" className="quiet" disabled={sending} onClick={() => setDoes('reading')}>
              Cancel
            </button>
          </>
        ) : (
          <>
            <button type="button" className="primary" disabled={sending} onClick={approve}>
              {edited ? 'Approve edited plan' : 'Approve'}
            </button>
            <button
              type="button"
              disabled={sending}
              onClick={() => setDoes(does === 'editing' ? 'reading' : 'editing')}
            >
              {does === 'editing' ? 'Preview' : 'Edit'}
            </button>
            <button type="button" disabled={sending} onClick={() => setDoes('revising')}>
              Request changes
            </button>
          </>
        )}
      </div>
    </Card>
  );
}
