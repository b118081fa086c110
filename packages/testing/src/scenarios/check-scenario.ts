import {
  anyText,
  callable,
  flag,
  given,
  isRecord,
  kindOf,
  list,
  number,
  oneOf,
  record,
  refuse,
  text,
  wholePositive,
  type Check,
} from '@hexagent/checks';
import type {
  AgentPart,
  AnswerPart,
  BackgroundPart,
  CallPart,
  Continuation,
  Departure,
  Happening,
  Part,
  RefusalPart,
  Scenario,
  ScenarioTurn,
  TextPart,
  WaitPart,
} from './scenario.ts';

/** What has a `part` is checked by the row of it. */
const byPart =
  <T extends { readonly part: string }>(rows: Readonly<Record<T['part'], Check<unknown>>>, wanted: string): Check<T> =>
  (value, place) => {
    const name = isRecord(value) ? String(value['part']) : '';
    const row = new Map<string, Check<unknown>>(Object.entries(rows)).get(name);
    if (row === undefined) throw refuse(place, wanted, kindOf(value));
    row(value, place);
    return value as T; // as its row has checked
  };

const wait = record<WaitPart>({ part: given() });
const waitHere = byPart<WaitPart>({ wait }, 'a text or `model.wait`');
const piece: Check<string | WaitPart> = (value, place) => (typeof value === 'string' ? value : waitHere(value, place));
const pieces = record<TextPart>({ part: given(), pieces: list(piece) }, { required: ['pieces'] });

const ofAnswer: Readonly<Record<Part['part'], Check<unknown>>> = {
  text: pieces,
  thinking: pieces,
  call: record<CallPart>(
    {
      part: given(),
      tool: text(),
      input: given(),
      asks: flag,
      result: anyText,
      isError: flag,
      readOnly: flag,
      subagent: anyText,
    },
    { required: ['tool'] },
  ),
  background: record<BackgroundPart>(
    { part: given(), kind: oneOf('local_bash', 'local_agent'), what: text(), answer: anyText, report: anyText },
    { required: ['kind', 'what'] },
  ),
};
const parts = list(byPart<Part>(ofAnswer, 'a part of an answer, such as `model.text()`'));

const frames = record<AgentPart>({ part: given(), frames: list(given()) }, { required: ['frames'] });
const single = byPart<Exclude<Happening, string | readonly Part[]>>(
  {
    ...ofAnswer,
    answer: record<AnswerPart>({ part: given(), parts, stopReason: given(), usage: given() }, { required: ['parts'] }),
    wait,
    refusal: record<RefusalPart>(
      {
        part: given(),
        status: wholePositive,
        message: anyText,
        times: wholePositive,
        ends: anyText,
        reported: number({ least: 0, whole: true }),
      },
      { required: ['status', 'message'] },
    ),
    frames,
    result: frames,
  },
  'a text, made by `model` or `agent`, or a list of parts',
);

const happening: Check<Happening> = (value, place) => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? parts(value, place) : single(value, place);
};

/** A test in JavaScript finds here what TypeScript would mark: an agent without a next step would be waited for for ever. */
export const checkTurns: Check<readonly ScenarioTurn[]> = list(
  record<ScenarioTurn>(
    { says: anyText, happens: list(happening) },
    { required: ['says', 'happens'], wanted: 'made by `turn()`' },
  ),
  'a list of turns',
);

/** @throws {TypeError} for what cannot be in a scenario, naming its place. */
export const checkScenario: Check<Scenario> = record<Scenario>(
  {
    turns: checkTurns,
    continues: record<Continuation>(
      { how: oneOf('resume', 'fork', 'continue'), turns: checkTurns },
      { required: ['how', 'turns'] },
    ),
    options: given(),
    decides: list(given()),
    program: callable(),
    shows: list(text()),
    departs: list(record<Departure>({ about: text(), why: text(), isRace: flag }, { required: ['about', 'why'] })),
    env: given(),
  },
  { required: ['turns', 'shows'], called: 'scenario' },
);
