// An agent without a process, which answers each message at once, or after a time.
const usage = { input_tokens: 1, output_tokens: 1 };
const scope = { uuid: '00000000-0000-4000-8000-000000000000', session_id: 'session' };
const exit = { code: 0, signal: null, stderr: '', closed: false };
const result = {
  type: 'result',
  subtype: 'success',
  result: 'ok',
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  stop_reason: 'end_turn',
  total_cost_usd: 0,
  usage,
  modelUsage: {},
  permission_denials: [],
  ...scope,
};
const outcome = { kind: 'completed', text: 'ok', usage, cost: 0, result };

/** Counts what its agents do: `began(uuid)` for each turn, `ended(uuid)`, `lives(tenant, 1 | -1)`. */
export const instantAgents =
  ({ turnMs = 0, began, ended, lives }) =>
  async ({ tenant, options }) => {
    const waiting = [];
    let [wake, seq, isOver] = [undefined, 0, false];
    const gone = Promise.withResolvers();
    const idlers = [];
    const open = new Set();
    const report = (fact) => {
      waiting.push({ ...fact, seq: (seq += 1) });
      wake?.();
    };
    const leave = (how) => {
      if (isOver) return gone.promise;
      isOver = true;
      lives(tenant, -1);
      const error = new Error('It was ended.');
      for (const turn of open)
        report({ kind: 'turn_cut', turn, error: Object.assign(error, { code: 'AGENT_EXITED' }) });
      report({ kind: 'exited', exit: { ...exit, signal: how === 'finish' ? null : 'SIGKILL' }, error });
      gone.resolve(exit);
      return gone.promise;
    };
    lives(tenant, 1);
    const end = (turn) => {
      if (!open.delete(turn)) return;
      report({ kind: 'turn_ended', turn, outcome });
      report({ kind: 'idle' });
      ended(turn);
      for (const idler of idlers.splice(0)) idler();
    };
    const idle = () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => void idlers.push(resolve)));
    return {
      sessionId: options.resume ?? options.sessionId,
      ready: Promise.resolve(),
      exited: gone.promise,
      send({ uuid }) {
        if (isOver) throw Object.assign(new Error('It has gone.'), { code: 'CONVERSATION_CLOSED' });
        open.add(uuid);
        began(uuid);
        report({ kind: 'turn_sent', turn: uuid });
        report({ kind: 'turn_started', turn: uuid, isUnsolicited: false });
        if (turnMs === 0) queueMicrotask(() => end(uuid));
        else setTimeout(() => end(uuid), turnMs);
        return { id: uuid, received: Promise.resolve(), interrupt: async () => 'interrupted' };
      },
      async *events() {
        for (;;) {
          while (waiting.length > 0) yield waiting.shift();
          if (isOver) return;
          await new Promise((resolve) => (wake = resolve));
        }
      },
      interrupt: async () => 'nothing_running',
      idle,
      finish: async () => (await idle(), leave('finish')),
      close: () => leave('close'),
      suspend: () => leave('suspend'),
    };
  };
