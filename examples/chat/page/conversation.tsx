import type { ReactNode } from 'react';
import type { Page } from './api.ts';
import { AwayNotice } from './away-notice.tsx';
import { Bar } from './bar.tsx';
import { Composer } from './composer.tsx';
import { focusField } from './focus.ts';
import { MessageList } from './message-list.tsx';
import { Notice } from './notice.tsx';
import { Stuck } from './stuck.tsx';
import { draftOf, textOf } from './tools.ts';
import { useTurns, type ServerState } from './use-turns.ts';

interface Props {
  readonly id: string;
  /** The title that the server has for it, once there is one. */
  readonly title: string | undefined;
  readonly menu: ReactNode;
  readonly history: Page;
  readonly server: ServerState;
  /** Another page has deleted it. */
  readonly isDeleted: boolean;
  onChange(): Promise<void>;
  onBegin(): void;
  onNew(): void;
}

export function Conversation({ title, menu, isDeleted, onNew, ...given }: Props) {
  const { server, onChange } = given;
  const turns = useTurns(given);
  const { messages, busy, isLost, error, state, retry, failure } = turns;
  const isAway = isLost || server.failure !== undefined;
  const isGone = isDeleted || turns.isDeleted;
  const isStuck = (state === 'held' || state === 'crashed') && !busy && !isAway;
  const asked = messages.findLast(({ role }) => role === 'user');
  const again = asked && !busy && !isAway && !isGone ? () => turns.send(draftOf(asked)) : undefined;

  return (
    <>
      <Bar title={title ?? textOf(messages.find(({ role }) => role === 'user'))} menu={menu} messages={messages} />
      <MessageList
        messages={messages}
        hasEarlier={turns.hasEarlier}
        onEarlier={turns.loadEarlier}
        busy={busy}
        isLost={isLost}
        isSubmitted={turns.isSubmitted}
        waiting={turns.waiting}
        acted={turns.acted}
        onAnswer={turns.answer}
        onAgain={error === undefined && !isStuck ? again : undefined}
        hasFailed={state === 'failed'}
        isNoticed={error !== undefined}
        onExample={(text) => (turns.send({ text, files: [] }), focusField())}
      />
      <div className="below">
        {isGone && (
          <div className="notice calm" role="status">
            <p>This chat was deleted.</p>
            <button type="button" onClick={onNew}>
              New chat
            </button>
          </div>
        )}
        {isAway && !isGone && (
          <AwayNotice error={server.failure ?? disconnection} wasWorking={isLost} onRetry={() => void onChange()} />
        )}
        {retry && (
          <div className="notice calm" role="status">
            <p>
              The model did not answer ({retry.error}). Trying again, {retry.attempt} of {retry.maxRetries}.
            </p>
          </div>
        )}
        {error !== undefined && !isStuck && !isGone && (
          <Notice
            error={error}
            failure={messages.at(-1)?.metadata?.failure}
            action={turns.refused || !again ? undefined : { label: 'Try again', onClick: again }}
            onDismiss={turns.clearError}
          />
        )}
        {isStuck && !isGone && <Stuck state={state} onContinue={turns.goOn} onDiscard={turns.giveUp} />}
        {failure !== undefined && <Notice error={failure} onDismiss={() => turns.setFailure(undefined)} />}
        <Composer
          draft={turns.draft}
          onDraft={turns.setDraft}
          onFailure={turns.setFailure}
          busy={busy}
          stopping={turns.stopping}
          disabled={isAway || isGone}
          onSend={turns.send}
          onStop={turns.stop}
        />
      </div>
    </>
  );
}

/** The connection broke, and the server was not asked since then. */
const disconnection = new TypeError('network');
