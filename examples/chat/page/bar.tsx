import type { UiTurnMetadata } from '@hexagent/ui-stream';
import type { ReactNode } from 'react';
import { tokens, usd } from './figures.ts';
import type { ChatMessage } from './wire.ts';

interface Props {
  readonly title: string | undefined;
  readonly menu: ReactNode;
  readonly messages?: readonly ChatMessage[];
}

/** The top of the page: what this conversation is about, who answers, and what it has cost. */
export function Bar({ title, menu, messages = [] }: Props) {
  const { model, permissionMode, cost } = factsOf(messages);
  return (
    <header className="bar">
      {menu}
      <h1>{title || 'New conversation'}</h1>
      <dl className="facts">
        {model && (
          <div className="wide-only">
            <dt>Model</dt>
            <dd>{model}</dd>
          </div>
        )}
        {permissionMode && permissionMode !== 'default' && (
          <div className="wide-only">
            <dt>Permissions</dt>
            <dd>{permissionMode}</dd>
          </div>
        )}
        {cost > 0 && (
          <div>
            <dt>Cost</dt>
            <dd>{usd(cost)}</dd>
          </div>
        )}
      </dl>
    </header>
  );
}

function factsOf(messages: readonly ChatMessage[]) {
  let cost = 0;
  let latest: UiTurnMetadata = {};
  for (const { metadata } of messages) {
    cost += metadata?.cost ?? 0;
    if (metadata?.model) latest = metadata;
  }
  return { cost, model: latest.model, permissionMode: latest.permissionMode };
}

/** Below an answer: what it took. */
export function TurnFigures({ metadata }: { readonly metadata: UiTurnMetadata | undefined }) {
  const { usage, cost, durationMs, interrupted } = metadata ?? {};
  const used = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
  const figures = [
    interrupted && 'Stopped',
    durationMs !== undefined && `${(durationMs / 1000).toFixed(1)} s`,
    used > 0 && `${tokens(used)} tokens`,
    cost !== undefined && cost > 0 && usd(cost),
  ].filter(Boolean);
  return figures.length === 0 ? null : <p className="figures">{figures.join(' · ')}</p>;
}
