/** `close()` never rejects, so who only closes is told in this way; the exit names the same processes. */
export function warnOfNotEnded(pids: readonly number[]): void {
  const which = pids.length === 1 ? `the process ${pids[0]}` : `the processes ${pids.join(', ')}`;
  process.emitWarning(
    `The agent was ended, but ${which} of it could not be: it belongs to another user, or the system holds it.`,
    { type: 'HexagentWarning', code: 'AGENT_NOT_ENDED' },
  );
}
