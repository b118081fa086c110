/** For processes that are found only after the exit was reported; others are named there. */
export function warnIfNotEnded(pids: readonly number[]): void {
  if (pids.length === 0) return;
  process.emitWarning(`Of what the agent had started, these processes could not be ended: ${pids.join(', ')}.`, {
    type: 'HexagentWarning',
    code: 'HEXAGENT_AGENT_NOT_ENDED',
  });
}
