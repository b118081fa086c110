import type { UiTurnMetadata } from '@hexagent/ui-stream';
import type { ReactNode } from 'react';
import { tokens, usd } from './figures.ts';
import { isScript } from './model.ts';
import type { ChatMessage } from './wire.ts';

interface Props {
  readonly title: string | undefined;
  readonly menu: ReactNode;
  readonly messages?: readonly ChatMessage[];
}

/** The top of the page: the title of the chat, who answers, and what it has cost. */
export function Bar({ title, menu, messages = [] }: Props) {
  const { model, permissionMode, cost } = factsOf(messages);
  return (
    <header className="bar">
      {menu}
      <h1>{title || 'New chat'}</h1>
      {isScript && <span className="badge">Offline script</span>}
      <dl className="facts">
        {model && !isScript && (
          <div className="wide-only">
            <dt>Model</dt>
            <dd>{model}</dd>
          </div>
        )}
        {permissionMode && permissionMode !== 'default' && (
          <div className="wide-only">
            <dt>Permissions</dt>
            <dd>{modeNames[permissionMode] ?? permissionMode}</dd>
          </div>
        )}
        {cost > 0 && !isScript && (
          <div>
            <dt>Cost</dt>
            <dd>{usd(cost)}</dd>
          </div>
        )}
      </dl>
    </header>
  );
}

const modeNames: Readonly<Record<string, string>> = {
  acceptEdits: 'Edits allowed',
  plan: 'Plan only',
  dontAsk: 'Never asks',
  bypassPermissions: 'Everything allowed',
};

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
  const { usage, cost, durationMs, interrupted, suspended, failure } = metadata ?? {};
  const used = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
  const figures = [
    // A turn that cannot continue is interrupted too: the notice has the reason.
    interrupted && failure === undefined && 'Stopped',
    suspended && 'Interrupted by a restart',
    durationMs !== undefined && `${(durationMs / 1000).toFixed(1)} s`,
    used > 0 && !isScript && `${tokens(used)} tokens`,
    cost !== undefined && cost > 0 && !isScript && usd(cost),
  ].filter(Boolean);
  return figures.length === 0 ? null : <p className="figures">{figures.join(' · ')}</p>;
}
