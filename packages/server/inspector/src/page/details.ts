import { inputOf, textOfContent } from '../fold/labels.ts';
import { readEntry, frameOf, listAt, textAt } from '../fold/entry.ts';
import { formatBytes, formatCount, formatOffset, formatTime } from '../fold/formats.ts';
import type { RunFold } from '../fold/run-fold.ts';
import { stateOf, waitedFor, type Agent, type Ask, type Row, type ToolCall } from '../fold/run.ts';
import { button, element, facts, type Child } from './element.ts';
import { JsonTree } from './json-tree.ts';

export interface DetailsOptions {
  readonly run: RunFold;
  /** What the times of open questions count to. */
  readonly now: number;
  readonly onOpen: (row: number) => void;
  /** Paths of the frame that stand out. */
  readonly marked?: readonly string[];
}

/** Everything about one row. */
export function detailsOf(row: Row, options: DetailsOptions): readonly HTMLElement[] {
  const agent = options.run.agent(row.agent);
  const entry = readEntry(row.line);
  if (agent === undefined || entry === undefined) return [];
  const { frame } = frameOf(entry);
  const shown = frame ?? entry;
  const copy = button('Copy', {
    class: 'plain',
    onclick: () => void navigator.clipboard.writeText(JSON.stringify(shown)),
  });
  return [
    element('h2', {}, row.type),
    facts({
      Time: formatOffset(row.t),
      From: directions[row.direction],
      Agent: `${row.agent}${row.turn === 0 ? '' : `, turn ${row.turn}`}`,
      Line: formatCount(row.index + 1),
      Size: formatBytes(row.line.length),
      Redacted: listAt(entry, 'redacted')
        .map((each) => textAt(each, 'path'))
        .join(', '),
    }),
    ...(row.ask === undefined || row.ask.call !== undefined ? [] : [askPart(row.ask, options)]),
    ...(row.call === undefined ? [] : [callPart(row.call, agent, options)]),
    ...requestPart(row, options),
    element('div', { class: 'heading' }, element('h3', {}, frame === undefined ? 'Entry' : 'Frame'), copy),
    new JsonTree(frame === undefined ? 'Entry' : 'Frame', shown, options.marked).box,
  ];
}

const directions = { out: 'the program', in: 'the agent', mark: 'this process' } as const;

const go = (label: string, row: number, { onOpen }: DetailsOptions): HTMLElement =>
  button(label, { class: 'link', onclick: () => onOpen(row) });

function callPart(call: ToolCall, agent: Agent, options: DetailsOptions): HTMLElement {
  const end = call.result?.t;
  const waited = waitedFor(call, options.now);
  const parent = call.parent === undefined ? undefined : agent.calls.get(call.parent);
  return element(
    'section',
    { class: 'part' },
    element('h3', {}, `${call.name}: ${stateOf(call, agent)}`),
    facts({
      Took: end === undefined ? `${formatTime(options.now - call.t)} so far` : formatTime(end - call.t),
      'Of it in the program': waited === 0 ? undefined : formatTime(waited),
      'Decided by': decidedBy(call),
      Subagent: describeSubagent(call),
      'Called by': parent && go(`${parent.name} ${inputOf(parent.input)}`.slice(0, 60), parent.row, options),
    }),
    ...call.asks.map((ask) => askPart(ask, options)),
    ...jump('Call', call.row, options),
    ...(call.result === undefined ? [] : resultPart(call.result.content, call.result.row, options)),
  );
}

function decidedBy({ asks, decision }: ToolCall): string | undefined {
  const answered = asks.find(
    ({ kind, answer }) => kind !== 'tool' && ['allowed', 'denied'].includes(answer?.outcome ?? ''),
  );
  const reason = answered?.answer?.reason === undefined ? '' : `: ${answered.answer.reason}`;
  if (answered?.answer !== undefined) return answered.answer.by + reason;
  return decision?.by;
}

function describeSubagent({ subagent }: ToolCall): string | undefined {
  if (subagent === undefined) return undefined;
  const took = subagent.to === undefined ? '' : ` after ${formatTime(subagent.to - subagent.t)}`;
  return `${subagent.type}, ${subagent.status}${took}`;
}

function resultPart(content: unknown, row: number, options: DetailsOptions): readonly HTMLElement[] {
  const text = textOfContent(content);
  return [
    ...jump('Result', row, options),
    element(
      'pre',
      { tabindex: 0, role: 'group', 'aria-label': 'Result' },
      text === '' ? '(empty)' : text.slice(0, 10_000),
    ),
  ];
}

const jump = (label: string, row: number, options: DetailsOptions): readonly HTMLElement[] => [
  element('p', {}, go(`${label} in line ${formatCount(row + 1)}`, row, options)),
];

const askNames: Readonly<Record<Ask['kind'], string>> = {
  permission: 'Asked for permission',
  question: 'Asked questions',
  plan: 'Asked to approve a plan',
  elicitation: 'A server asked',
  dialog: 'Asked by a dialog',
  hook: 'Hook',
  tool: 'Run by the program',
};

function askPart({ kind, subject, t, row, answer }: Ask, options: DetailsOptions): HTMLElement {
  const name = kind === 'hook' ? `Hook ${subject}` : askNames[kind];
  const answered: Record<string, Child | undefined> =
    answer === undefined
      ? { Waits: formatTime(options.now - t) }
      : {
          Answer: go(answer.outcome, answer.row, options),
          By: answer.by,
          After: formatTime(answer.t - t),
          Reason: answer.reason,
        };
  const asked = go(`line ${formatCount(row + 1)}`, row, options);
  return element('section', { class: 'asked' }, element('h4', {}, name), facts({ Asked: asked, ...answered }));
}

function requestPart({ request }: Row, options: DetailsOptions): readonly HTMLElement[] {
  if (request === undefined) return [];
  const { answer, t, subtype } = request;
  const answered: Record<string, Child | undefined> =
    answer === undefined
      ? { Waits: formatTime(options.now - t) }
      : {
          Answer: go(`line ${formatCount(answer.row + 1)}`, answer.row, options),
          After: formatTime(answer.t - t),
          Error: answer.error,
        };
  return [
    element(
      'section',
      { class: 'part' },
      element('h3', {}, `Request ${subtype}`),
      facts({ Asked: go(`line ${formatCount(request.row + 1)}`, request.row, options), ...answered }),
    ),
  ];
}
