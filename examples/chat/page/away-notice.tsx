import { isDisconnection, Notice } from './notice.tsx';

interface Props {
  readonly error: unknown;
  /** A turn ran when the connection was lost. */
  readonly wasWorking: boolean;
  onRetry(): void;
}

/** What is known while the server does not answer, and no more. */
export function AwayNotice({ error, wasWorking, onRetry }: Props) {
  if (!isDisconnection(error)) return <Notice error={error} action={{ label: 'Try again', onClick: onRetry }} />;
  return (
    <div className="notice calm" role="status">
      <div>
        <p>{navigator.onLine ? 'The server is not responding. Reconnecting…' : 'You are offline.'}</p>
        <p className="remedy">
          {wasWorking && 'The agent may have stopped. '}This page catches up once it is connected again.
        </p>
      </div>
      <button type="button" onClick={onRetry}>
        Try now
      </button>
    </div>
  );
}
