import { frameOf, isJson, listAt, numberAt, objectAt, readEntry, textAt, type Json } from './entry.ts';
import { formatAmounts, formatTime } from './formats.ts';
import { textOfMessage } from './turn-fold.ts';
import { stateOf, type Agent, type Answer, type Request, type Row } from './run.ts';

const longest = 200;

/** One line about a row: made where it is shown, since most rows of a long run never are. */
export function summaryOf(row: Row, agent: Agent): string {
  const entry = readEntry(row.line);
  if (entry === undefined) return '';
  const { direction, frame } = frameOf(entry);
  const text =
    frame === undefined ? ofMark(entry, row.type) : ofFrame(frame, { row, agent, isSent: direction === 'out' });
  return oneLine(text);
}

export function oneLine(text: string): string {
  const line = text
    .slice(0, longest * 2)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

interface Context {
  readonly row: Row;
  readonly agent: Agent;
  readonly isSent: boolean;
}

function ofMark(entry: Json, type: string): string {
  const { launch, exit } = entry;
  if (isJson(launch)) return `The agent is started in ${textAt(launch, 'cwd') || 'the folder of the program'}`;
  if (isJson(exit))
    return `The agent ${typeof exit['signal'] === 'string' ? `was ended by ${exit['signal']}` : `exited with ${String(exit['code'])}`}`;
  const given = ['inLine', 'outLine', 'in', 'out'].find((name) => name in entry);
  if (given !== undefined) return textAt(entry, given) || JSON.stringify(entry[given]);
  const { [type]: value } = entry;
  if (isJson(value)) return textAt(value, 'message');
  return marks[type] ?? JSON.stringify(value);
}

const marks: Readonly<Record<string, string>> = {
  end: 'The program ended its input',
  close: 'The program closed the connection',
  pause: 'The program stopped reading',
  resume: 'The program reads again',
};

function ofFrame(frame: Json, context: Context): string {
  switch (textAt(frame, 'type')) {
    case 'user':
      return context.isSent ? textOfMessage(frame) : ofResults(frame, context.agent);
    case 'assistant':
      return listAt(objectAt(frame, 'message'), 'content')
        .map((block) => ofBlock(block, context.agent))
        .join(' ');
    case 'stream_event':
      return ofPiece(objectAt(frame, 'event'));
    case 'result':
      return ofResult(frame, context);
    case 'system':
      return ofSystem(frame);
    case 'control_request':
      return ofRequest(objectAt(frame, 'request'), context);
    case 'control_response':
      return ofAnswer(objectAt(frame, 'response'), context);
    case 'control_cancel_request':
      return 'Not waited for any more';
    default:
      return textAt(frame, 'state') || textAt(frame, 'tool_name') || textAt(frame, 'suggestion');
  }
}

function ofBlock(block: Json, agent: Agent): string {
  const type = textAt(block, 'type');
  if (type === 'text') return textAt(block, 'text');
  if (type === 'thinking') return `Thinks: ${textAt(block, 'thinking')}`;
  if (type !== 'tool_use') return `[${type}]`;
  const call = agent.calls.get(textAt(block, 'id'));
  return `${textAt(block, 'name')} ${inputOf(call?.input ?? objectAt(block, 'input'))}`;
}

/** How a tool call ended and after how long, for the row of the call: empty for any other row. */
export function endingOf({ call, index }: Row, agent: Agent): string {
  if (call?.row !== index) return '';
  const took = call.result === undefined ? '' : ` ${formatTime(call.result.t - call.t)}`;
  return `${stateOf(call, agent)}${took}`;
}

/** What a reader recognizes a call by: the member that names what it works on, or all of it. */
export function inputOf(input: Json): string {
  const questions = listAt(input, 'questions').map((each) => textAt(each, 'question'));
  if (questions.length > 0) return questions.join(' ');
  for (const name of ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt', 'plan'])
    if (textAt(input, name) !== '') return textAt(input, name);
  return Object.keys(input).length === 0 ? '' : JSON.stringify(input);
}

function ofResults(frame: Json, agent: Agent): string {
  const results = listAt(objectAt(frame, 'message'), 'content').filter((block) => block['type'] === 'tool_result');
  if (results.length === 0) return textOfMessage(frame);
  return results
    .map((block) => {
      const call = agent.calls.get(textAt(block, 'tool_use_id'));
      const failed = block['is_error'] === true ? 'failed: ' : '';
      return `${call?.name ?? 'A tool'} ${failed}${textOfContent(block['content'])}`;
    })
    .join(' ');
}

export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined ? '' : JSON.stringify(content);
  const blocks: readonly unknown[] = content;
  return blocks.map((block) => (isJson(block) ? textAt(block, 'text') || `[${textAt(block, 'type')}]` : '')).join(' ');
}

function ofPiece(event: Json): string {
  const delta = objectAt(event, 'delta');
  const block = objectAt(event, 'content_block');
  const text = textAt(delta, 'text') || textAt(delta, 'thinking') || textAt(delta, 'partial_json');
  return text || textAt(delta, 'stop_reason') || textAt(block, 'name') || textAt(block, 'type');
}

function ofResult(result: Json, { row, agent }: Context): string {
  const turn = agent.turns[row.turn - 1];
  const amounts = turn?.amounts === undefined ? [] : [formatAmounts(turn.amounts)];
  const text = textAt(result, 'result') || listText(result['errors']);
  return [textAt(result, 'subtype'), formatTime(numberAt(result, 'duration_ms')), ...amounts, text].join(' · ');
}

const listText = (list: unknown): string => (Array.isArray(list) ? list.map(String).join(' ') : '');

function ofSystem(frame: Json): string {
  if (frame['subtype'] === 'api_retry') return `attempt ${numberAt(frame, 'attempt')}`;
  const told = { ...objectAt(frame, 'patch'), ...frame };
  const names = ['description', 'summary', 'content', 'message', 'state', 'status', 'model', 'permissionMode'];
  return names.map((name) => textAt(told, name)).find((text) => text !== '') ?? '';
}

function ofRequest(request: Json, { row, isSent }: Context): string {
  if (isSent) return row.request === undefined ? '' : describeRequest(row.request);
  const { ask } = row;
  if (ask === undefined) return textAt(objectAt(request, 'message'), 'method');
  const after = ask.answer === undefined ? 'not answered' : describeAnswer(ask.answer, ask.t);
  const subject = ask.kind === 'hook' ? `${ask.subject} ${row.tool ?? ''}` : ask.subject;
  const input = objectAt(request, 'input');
  const about = ask.kind === 'hook' ? aboutHook(input) : inputOf(input);
  return [subject.trim(), after, about].filter((part) => part !== '').join(' · ');
}

/** What is the same in each of its events says nothing. */
const aboutHook = (input: Json): string =>
  inputOf(objectAt(input, 'tool_input')) || textAt(input, 'prompt') || textAt(input, 'message');

function describeRequest({ t, answer }: Request): string {
  if (answer === undefined) return 'not answered';
  return `${answer.error === undefined ? 'done' : `failed: ${answer.error}`} after ${formatTime(answer.t - t)}`;
}

function ofAnswer(response: Json, { row: { ask, request } }: Context): string {
  if (ask?.answer !== undefined) return `${ask.subject} · ${describeAnswer(ask.answer, ask.t)}`;
  if (request !== undefined) return `${request.subtype} · ${describeRequest(request)}`;
  return textAt(response, 'error') || textAt(response, 'subtype');
}

/** Such as `denied by the program after 3.2 s: not in this folder`. */
function describeAnswer({ outcome, by, t, reason }: Answer, askedAt: number): string {
  const because = reason === undefined ? '' : `: ${reason}`;
  return `${outcome} by ${by} after ${formatTime(t - askedAt)}${because}`;
}
