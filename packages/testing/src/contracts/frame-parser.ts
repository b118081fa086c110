import { assert } from './assert.ts';
import type { FrameParser, OutboundFrame } from '@hexagent/ports';
import { agentFrames } from '../doubles/agent-frames.ts';
import { hasCode } from './has-code.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** A parser under test. */
export interface FrameParserFixture {
  readonly parser: FrameParser;
}

/** What every `FrameParser` promises. */
export function frameParserContract(runner: Runner, fixture: FrameParserFixture): void {
  const { describe, it } = limitedRunner('frameParserContract', runner, fixture);
  const run = (promises: ParserPromises) => (): void => {
    for (const [name, keep] of Object.entries(promises)) it(name, async () => keep(fixture.parser));
  };
  describe('FrameParser contract', () => {
    describe('Reading', run(reading));
    describe('Writing', run(writing));
  });
}

type ParserPromises = Readonly<Record<string, (parser: FrameParser) => void>>;

const odd = 'é 😀 "quoted" \\ \n\r\u2028\u0000';
const turn = agentFrames.wholeTurn('00000000-0000-4000-8000-000000000001', odd);

const malformed: readonly string[] = [
  '{',
  'text',
  'null',
  '7',
  '"text"',
  '[]',
  '[{"type":"user"}]',
  '{}',
  '{"type":7}',
];

/** Frames that an agent cannot mean: each lacks what its type is about. */
const suspicious: readonly object[] = [
  { type: 'result', subtype: 'success' },
  { type: 'assistant', message: 'text' },
  { type: 'control_request', request_id: 7, request: { subtype: 'can_use_tool' } },
  { type: 'control_response', response: null },
];

const request = { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } } as const;
const user = (content: unknown): OutboundFrame => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: 's',
});
const written: readonly OutboundFrame[] = [
  user(odd),
  user([{ type: 'text', text: odd }]),
  request,
  { type: 'control_response', response: { subtype: 'success', request_id: 'r', response: { text: odd } } },
  { type: 'control_response', response: { subtype: 'error', request_id: 'r', error: odd } },
  { type: 'control_cancel_request', request_id: 'r' },
];

/** As a program without types may pass them. */
const untyped = (frame: object): OutboundFrame => frame as OutboundFrame;
const deadly: readonly OutboundFrame[] = [
  untyped({ type: 'unknown' }),
  untyped({ ...user('x'), message: undefined }),
  untyped({ ...user('x'), message: { role: 'assistant', content: 'x' } }),
  user(undefined),
  untyped({ ...request, request: null }),
  untyped({ type: 'control_response', response: { subtype: 'odd', request_id: 'r' } }),
];

function circular(): Readonly<Record<string, unknown>> {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  return circle;
}

const reading: ParserPromises = {
  'returns the whole object of a line, with fields and types that it does not know'(parser) {
    for (const frame of [...turn, { type: 'of a newer agent', deep: [{ odd }], more: null }])
      assert.deepEqual(parser.parse(JSON.stringify({ ...frame, added: odd })), { ...frame, added: odd });
  },

  'returns nothing for a line of white space'(parser) {
    for (const line of ['', ' ', '\t', ' \r']) assert.equal(parser.parse(line), undefined, JSON.stringify(line));
  },

  'throws FRAME_MALFORMED for a line that is not a JSON object with a `type`'(parser) {
    for (const line of malformed) assert.throws(() => parser.parse(line, () => {}), hasCode('FRAME_MALFORMED'), line);
  },

  'returns a frame that fails its check, once it has reported why'(parser) {
    for (const frame of suspicious) {
      const reasons: string[] = [];
      assert.deepEqual(
        parser.parse(JSON.stringify(frame), (reason) => void reasons.push(reason)),
        frame,
      );
      assert.ok(reasons.length === 1 && reasons[0] !== '', `${JSON.stringify(frame)}: ${reasons.length} reasons`);
    }
  },

  'reports nothing of a valid frame, and of one whose type it does not know'(parser) {
    for (const frame of [...turn, { type: 'of a newer agent' }])
      parser.parse(JSON.stringify(frame), (reason) => assert.fail(`${JSON.stringify(frame)}: ${reason}`));
  },

  'returns such a frame unchecked where no reason is asked for'(parser) {
    for (const frame of suspicious) assert.deepEqual(parser.parse(JSON.stringify(frame)), frame);
  },
};

const writing: ParserPromises = {
  'writes a frame as one line of JSON'(parser) {
    for (const frame of structuredClone(written)) {
      const before = structuredClone(frame);
      const line = parser.stringify(frame);
      assert.ok(!/[\n\r]/u.test(line), 'there is the end of a line in it');
      assert.deepEqual(JSON.parse(line), before);
    }
  },

  'writes the same line where the frame is known to be JSON'(parser) {
    for (const frame of structuredClone(written))
      assert.equal(parser.stringify(frame, { isJson: true }), parser.stringify(frame));
  },

  'throws FRAME_INVALID for a frame that would end the agent'(parser) {
    for (const frame of deadly)
      for (const isJson of [false, true])
        assert.throws(() => parser.stringify(frame, { isJson }), hasCode('FRAME_INVALID'), JSON.stringify(frame));
  },

  'throws FRAME_INVALID for what JSON cannot represent'(parser) {
    for (const value of [1n, circular()])
      assert.throws(
        () => parser.stringify({ ...request, request: { subtype: 'interrupt', value } }),
        hasCode('FRAME_INVALID'),
      );
  },

  'leaves the frame as it is'(parser) {
    for (const frame of structuredClone(written)) {
      const before = structuredClone(frame);
      parser.stringify(frame);
      assert.deepEqual(frame, before);
    }
  },
};
