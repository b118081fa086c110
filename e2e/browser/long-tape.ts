/** The lines of a tape of a stream: a message that arrives in many pieces, with a tool call in each turn. */
export function* longTape(entries: number): Generator<string> {
  yield JSON.stringify({ tape: 1, started: '2026-11-20T10:00:00.000Z' });
  const line = (t: number, fields: object): string => JSON.stringify({ t, agent: 1, ...fields });
  const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const frame = (t: number, fields: object): string =>
    line(t, { in: { ...fields, session_id: uuid(0), parent_tool_use_id: null, uuid: uuid(t) } });
  const piece = (t: number): string =>
    frame(t, {
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `word ${t} ` } },
    });
  yield line(0, { launch: { args: [], env: {}, cwd: '/work', initialize: {} } });
  const ofTurn = 1000;
  for (let t = 1; t < entries; t += 1) {
    const turn = Math.floor(t / ofTurn);
    const [id, place] = [`toolu_${turn}`, t % ofTurn];
    if (place === 1) yield line(t, { out: { type: 'user', message: { role: 'user', content: `Turn ${turn}` } } });
    else if (place === 0) yield frame(t, { type: 'system', subtype: 'session_state_changed', state: 'idle' });
    else if (place === 400)
      yield frame(t, {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `ls ${turn}` } }] },
      });
    else if (place === 420)
      yield frame(t, {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: id, content: `${turn} files` }] },
      });
    else if (place === 999)
      yield frame(t, {
        type: 'result',
        subtype: 'success',
        total_cost_usd: turn / 100,
        duration_ms: ofTurn,
        result: `Done ${turn}`,
      });
    else yield piece(t);
  }
}
