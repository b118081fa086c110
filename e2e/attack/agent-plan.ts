import type { Chance } from '../support/chance.ts';

/** One step of a turn of the scripted agent. */
export type Step =
  | { readonly do: 'message'; readonly kind: MessageKind; readonly form: LineForm; readonly letters: number }
  /** A line that is not a frame, in base64. */
  | { readonly do: 'bad line'; readonly bytes: string }
  | {
      readonly do: 'ask';
      readonly what: AskKind;
      readonly id: 'new' | 'again' | 'number';
      readonly waits: boolean;
      readonly cancels: boolean;
    }
  /** A tool in a session of its own that never ends by itself. */
  | { readonly do: 'tool' }
  | { readonly do: 'die'; readonly code?: number; readonly signal?: string; readonly inLine: boolean }
  | { readonly do: 'stop'; readonly ms: number }
  | { readonly do: 'close'; readonly pipe: 'stdin' | 'stdout' }
  | { readonly do: 'stderr'; readonly letters: number }
  | { readonly do: 'long line'; readonly letters: number; readonly ends: boolean }
  | { readonly do: 'flood'; readonly messages: number }
  | { readonly do: 'wait'; readonly ms: number };

export const messageKinds = [
  'assistant',
  'delta',
  'tool result',
  'system',
  'unknown',
  'wrong assistant',
  'wrong system',
] as const;
export type MessageKind = (typeof messageKinds)[number];
export const lineForms = ['plain', 'crlf', 'mark', 'spaces'] as const;
export type LineForm = (typeof lineForms)[number];
export const askKinds = [
  'permission',
  'permission',
  'permission without a tool',
  'hook',
  'unknown hook',
  'tools',
  'unknown server',
  'notification',
  'elicitation',
  'from the future',
  'no request',
  'no subtype',
] as const;
export type AskKind = (typeof askKinds)[number];

/** What a scripted agent does. */
export interface AgentPlan {
  readonly initialize: 'answer' | 'refuse' | 'never' | 'late' | 'twice' | 'odd';
  readonly lifecycle: boolean;
  readonly states: boolean;
  /** How it answers our requests. */
  readonly controls: 'answer' | 'refuse' | 'never' | 'late' | 'twice' | 'odd' | 'wrong id';
  readonly obeysInterrupts: boolean;
  /** Bytes of each write; 0 writes whole lines. */
  readonly chunkBytes: number;
  readonly turns: readonly TurnPlan[];
  readonly diesAtStart: boolean;
  readonly atEnd: 'leave' | 'stay' | 'crash' | 'slowly' | 'talking';
  readonly onTerm: 'leave' | 'stay';
  readonly exitCode: number;
  /** It ends its tools when it leaves by itself. */
  readonly isTidy: boolean;
}

export interface TurnPlan {
  readonly steps: readonly Step[];
  readonly result:
    | 'success'
    | 'error'
    | 'without errors'
    | 'odd errors'
    | 'nameless'
    | 'for another'
    | 'twice'
    | 'none';
}

export interface AgentWishes {
  readonly isBenign: boolean;
  readonly isNative: boolean;
  readonly turns: number;
}

export function makeAgent(chance: Chance, { isBenign, isNative, turns }: AgentWishes): AgentPlan {
  const faulty = <T>(share: number, usual: T, others: readonly T[]): T =>
    isBenign ? usual : chance.rarely(share, usual, others);
  return {
    initialize: isBenign
      ? chance.oneOf(['answer', 'answer', 'late', 'twice'])
      : chance.rarely(25, 'answer', ['refuse', 'never', 'late', 'twice', 'odd']),
    lifecycle: chance.percent(70),
    states: chance.percent(70),
    controls: isBenign
      ? chance.oneOf(['answer', 'refuse', 'late', 'twice'])
      : chance.oneOf(['answer', 'refuse', 'never', 'late', 'twice', 'odd', 'wrong id']),
    obeysInterrupts: faulty(30, true, [false]),
    chunkBytes: chance.oneOf([0, 0, 0, 1, 7, 100, 5000]),
    turns: Array.from({ length: turns + 1 }, () => ({
      steps: chance.list(0, 9, () => makeStep(chance, isBenign)),
      result: faulty(25, 'success', [
        'error',
        'without errors',
        'odd errors',
        'nameless',
        'for another',
        'twice',
        'none',
      ]),
    })),
    diesAtStart: faulty(4, false, [true]),
    atEnd: isBenign
      ? chance.oneOf(['leave', 'leave', 'slowly', 'talking'])
      : chance.rarely(40, 'leave', ['stay', 'crash', 'slowly', 'talking']),
    onTerm: faulty(20, 'leave', ['stay']),
    exitCode: faulty(15, 0, [1, 2, 143]),
    // What a finished tool left in the background stays with the drop-in, as with the official package.
    isTidy: !isNative || chance.percent(50),
  };
}

function makeStep(chance: Chance, isBenign: boolean): Step {
  const kind = chance.below(100);
  if (kind < 30) return message(chance);
  if (kind < 38) return { do: 'bad line', bytes: chance.oneOf(badLines).toString('base64') };
  if (kind < 72) return ask(chance, isBenign);
  if (kind < 77) return { do: 'wait', ms: chance.oneOf([0, 1, 5, 30]) };
  if (kind < 80) return { do: 'stderr', letters: chance.oneOf([10, 1000, 100_000]) };
  if (kind < 83) return { do: 'flood', messages: chance.oneOf([100, 2000]) };
  if (kind < 87) return { do: 'tool' };
  return isBenign ? message(chance) : fault(chance);
}

function fault(chance: Chance): Step {
  switch (chance.below(5)) {
    case 0:
      return {
        do: 'die',
        inLine: chance.percent(50),
        ...chance.oneOf([{ code: 0 }, { code: 1 }, { code: 3 }, { signal: 'SIGKILL' }, { signal: 'SIGSEGV' }]),
      };
    case 1:
      return { do: 'stop', ms: chance.oneOf([50, 300]) };
    case 2:
      return { do: 'close', pipe: chance.oneOf(['stdin', 'stdout']) };
    case 3:
      return { do: 'long line', letters: chance.oneOf([50_000, 100_001, 400_000]), ends: chance.percent(50) };
    default:
      return { do: 'wait', ms: 200 };
  }
}

function message(chance: Chance): Step {
  return {
    do: 'message',
    kind: chance.oneOf(messageKinds),
    form: chance.rarely(15, 'plain', lineForms),
    letters: chance.rarely(10, 20, [0, 1, 3000, 200_000]),
  };
}

function ask(chance: Chance, isBenign: boolean): Step {
  return {
    do: 'ask',
    what: chance.oneOf(askKinds),
    id: chance.rarely(15, 'new', ['again', 'number']),
    waits: isBenign ? true : chance.percent(60),
    cancels: chance.percent(15),
  };
}

const badLines: readonly Buffer[] = [
  '',
  '   ',
  'null',
  '[]',
  '5',
  '"text"',
  '{',
  '{"type":5}',
  'Warning: printed by a wrapper',
  '\0\u0001',
  '{"type":"assistant","message":{"content":[',
  '\uFEFF',
  '{"type":"control_request"}',
  '{"type":"control_response"}',
  '{"type":"control_response","response":{"subtype":"success","request_id":"nobody"}}',
  '{"type":"control_cancel_request","request_id":"nobody"}',
  '{"type":"keep_alive"}',
]
  .map((text) => Buffer.from(text))
  .concat([Buffer.of(0xff, 0xfe, 0x80), Buffer.from('{"type":"x","a":"\xff', 'latin1')]);
