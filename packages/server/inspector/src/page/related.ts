import { formatCount, formatTime } from '../fold/formats.ts';
import { inputOf, textOfContent } from '../fold/labels.ts';
import type { RunFold } from '../fold/run-fold.ts';
import { stateOf, waitedFor, type Agent, type Ask, type Row, type ToolCall } from '../fold/run.ts';
import { button, element, facts, type Child } from './element.ts';

export interface RelatedOptions {
  readonly run: RunFold;
  /** What the times of open questions count to. */
  readonly now: number;
  readonly onOpen: (row: number) => void;
}

/** What a row is a part of: the call of a tool, a question to the program, a request of the program. */
export function relatedOf(row: Row, options: RelatedOptions): readonly HTMLElement[] {
  const agent = options.run.agent(row.agent);
  if (agent === undefined) return [];
  return [
    ...(row.ask === undefined || row.ask.call !== undefined ? [] : [askPart(row.ask, options)]),
    ...(row.call === undefined ? [] : [callPart(row.call, agent, options)]),
    ...requestPart(row, options),
  ];
}

/** Whether it may still change. */
export function isUnsettled({ ask, call, request }: Row): boolean {
  return [ask, request].some((each) => each !== undefined && each.answer === undefined) || isRunning(call);
}

const isRunning = (call: ToolCall | undefined): boolean =>
  call !== undefined && (call.result === undefined || (call.subagent !== undefined && call.subagent.to === undefined));

const go = (label: string, row: number, { onOpen }: RelatedOptions): HTMLElement =>
  button(label, { class: 'link', onclick: () => onOpen(row) });

function callPart(call: ToolCall, agent: Agent, options: RelatedOptions): HTMLElement {
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

function resultPart(content: unknown, row: number, options: RelatedOptions): readonly HTMLElement[] {
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

const jump = (label: string, row: number, options: RelatedOptions): readonly HTMLElement[] => [
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

function askPart({ kind, subject, t, row, answer }: Ask, options: RelatedOptions): HTMLElement {
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

function requestPart({ request }: Row, options: RelatedOptions): readonly HTMLElement[] {
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
