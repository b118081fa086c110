import { useState } from 'react';
import { Notice } from './notice.tsx';

interface Props {
  /** `crashed`: the agent ended too often, and the server no longer starts it. */
  readonly state: 'held' | 'crashed';
  /** Continues with what was cut off. */
  onContinue(): Promise<void>;
  /** Gives it up. */
  onDiscard(): Promise<void>;
}

/** What a person can do about a conversation whose agent has exited. */
export function Stuck({ state, onContinue, onDiscard }: Props) {
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const act = (action: () => Promise<void>) => (): void => {
    setSending(true);
    setFailure(undefined);
    action()
      .catch((error: unknown) => setFailure(error))
      .finally(() => setSending(false));
  };
  return (
    <>
      {failure !== undefined && <Notice error={failure} onDismiss={() => setFailure(undefined)} />}
      <div className="notice calm" role="status">
        <div>
          <p>
            {state === 'held'
              ? 'The agent was interrupted before it finished.'
              : 'The agent stopped working several times and was not started again.'}
          </p>
          <p className="remedy">
            {state === 'held'
              ? 'It can continue where it stopped.'
              : 'The reason is in the log of the server. Fix it, then continue.'}
          </p>
        </div>
        <div className="notice-buttons">
          <button type="button" disabled={sending} onClick={act(onContinue)}>
            Continue
          </button>
          <button type="button" disabled={sending} onClick={act(onDiscard)}>
            Discard
          </button>
        </div>
      </div>
    </>
  );
}
