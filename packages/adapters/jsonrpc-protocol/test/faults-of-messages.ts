import { wireParser } from '@hexagent/parser';
import { withFault } from '@hexagent/testing/contracts';
import { faulty, hosts, parses, put, reads, without, type Fault } from './faulty-protocol.ts';

/** Of messages of the agent. */
export const ofMessages: readonly Fault[] = [
  [
    'loses fields',
    reads(put('deep', without)),
    'delivers messages in order, unknown types and unknown fields untouched',
  ],
  [
    'counts the ending of a line',
    hosts((host) => ({ message: (message, bytes, line) => host.message(message, bytes + 1, line) })),
    [
      'reports the length of each line',
      'delivers each message with its line, from which it can parse the message again',
    ],
  ],
  [
    'gives the line without its blanks',
    hosts((host) => ({ message: (message, bytes, line) => host.message(message, bytes, line.trim()) })),
    'delivers each message with its line, from which it can parse the message again',
  ],
  [
    'delivers mirrored transcripts',
    hosts((host) => ({ mirror: (frame) => host.message(frame as never, 0, '') })),
    'keeps control frames, keep-alives and mirrored transcripts to itself',
  ],
  [
    'takes `null` for a blank line',
    parses((line, suspect) => (line === 'null' ? undefined : wireParser.parse(line, suspect))),
    '#34 skips a line that is not a frame, reports it, and continues',
  ],
  [
    'suspects nothing',
    parses((line) => wireParser.parse(line)),
    'delivers a message in an unexpected form, and reports it',
  ],
  [
    'does not report that the host threw',
    hosts((host) => ({
      message(...given) {
        try {
          host.message(...given);
        } catch {
          // a fault
        }
      },
    })),
    'continues when the host throws, and reports it',
  ],
  [
    'reports no keep-alives',
    faulty({
      ports: ({ observer }) => ({
        observer: observer && {
          observe(event) {
            if (event.kind !== 'received' || event.frame.type !== 'keep_alive') observer.observe(event);
          },
        },
      }),
    }),
    'notifies the observer of every frame in both directions, and ignores what it throws',
  ],
  [
    'takes every line for a message where nothing observes it',
    faulty({
      ports: ({ observer }) =>
        observer
          ? {}
          : {
              parser: withFault(wireParser, ({ parse }) => ({
                parse: (line) => (line.startsWith('{') ? parse(line) : { type: line }),
              })),
            },
    }),
    'works without an observer',
  ],
  [
    'counts how often it was paused',
    faulty({
      channel(kept) {
        let count = 0;
        return {
          pause: () => ((count += 1), kept.pause()),
          resume() {
            count -= 1;
            if (count <= 0) kept.resume();
          },
        };
      },
    }),
    'stops reading on pause() and starts on resume(), also when called twice in a row',
  ],
];
