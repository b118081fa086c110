import { useState } from 'react';
import { Notice } from './notice.tsx';

interface Props {
  /** `crashed`: the agent ended too often, and the server starts it no more by itself. */
  readonly state: 'held' | 'crashed';
  /** Goes on with what was cut off. */
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
              ? 'The agent was cut off before it was done. It can go on where it was.'
              : 'The agent ended again and again, and is not started any more.'}
          </p>
          {state === 'crashed' && (
            <p className="remedy">The log of the server has the reason. Once that is mended, continue.</p>
          )}
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
