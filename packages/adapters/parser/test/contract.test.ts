import { SdkError, type Frame, type FrameParser } from '@hexagent/ports';
import { frameParserContract, plantedFaults, type FrameParserFixture } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { wireParser } from '../src/index.ts';

const { parse, stringify } = wireParser;
const spoiled = (change: Partial<FrameParser>): FrameParserFixture => ({ parser: { ...wireParser, ...change } });

frameParserContract({ describe, it }, { parser: wireParser });

describe('The contract of parsers', () => {
  plantedFaults(
    { it },
    {
      suite: frameParserContract,
      kept: { parser: wireParser },
      faults: [
        [
          'drops fields that it does not know',
          spoiled({
            parse(line, suspect) {
              const frame = parse(line, suspect);
              return (
                frame &&
                (Object.fromEntries(Object.entries(frame).filter(([name]) => name !== 'added')) as unknown as Frame)
              );
            },
          }),
          'returns the whole object of a line, with fields and types that it does not know',
        ],
        [
          'throws at a blank line',
          spoiled({
            parse(line, suspect) {
              if (line.trim() === '') throw new SdkError('FRAME_MALFORMED', 'A blank line.');
              return parse(line, suspect);
            },
          }),
          'returns nothing for a line of white space',
        ],
        [
          'takes a list for a frame',
          spoiled({ parse: (line, suspect) => (line.startsWith('[') ? JSON.parse(line) : parse(line, suspect)) }),
          'throws FRAME_MALFORMED for a line that is not a JSON object with a `type`',
        ],
        [
          'reports no reason',
          spoiled({ parse: (line) => parse(line) }),
          'returns a frame that fails its check, once it has reported why',
        ],
        [
          'suspects what it does not know',
          spoiled({
            parse(line, suspect) {
              if (line.includes('newer')) suspect?.('It is newer.');
              return parse(line, suspect);
            },
          }),
          'reports nothing of a valid frame, and of one whose type it does not know',
        ],
        [
          'throws where no reason is asked for',
          spoiled({
            parse: (line, suspect) =>
              parse(
                line,
                suspect ??
                  ((reason) => {
                    throw new SdkError('FRAME_MALFORMED', reason);
                  }),
              ),
          }),
          'returns such a frame unchecked where no reason is asked for',
        ],
        [
          'writes over several lines',
          spoiled({ stringify: (frame, options) => stringify(frame, options).replaceAll('","', '",\n"') }),
          'writes a frame as one line of JSON',
        ],
        [
          'writes JSON with a blank before it',
          spoiled({
            stringify: (frame, options) => `${options?.isJson === true ? ' ' : ''}${stringify(frame, options)}`,
          }),
          'writes the same line where the frame is known to be JSON',
        ],
        [
          'checks nothing that is JSON',
          spoiled({
            stringify: (frame, options) =>
              options?.isJson === true ? JSON.stringify(frame) : stringify(frame, options),
          }),
          'throws FRAME_INVALID for a frame that would end the agent',
        ],
        [
          'lets JSON.stringify throw',
          spoiled({
            stringify(frame, options) {
              JSON.stringify(frame);
              return stringify(frame, options);
            },
          }),
          'throws FRAME_INVALID for what JSON cannot represent',
        ],
        [
          'marks the frame',
          spoiled({
            stringify(frame, options) {
              const line = stringify(frame, options);
              Object.assign(frame, { written: true });
              return line.replace(',"written":true', '');
            },
          }),
          'leaves the frame as it is',
        ],
      ],
    },
  );
});
