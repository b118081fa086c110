import { tool } from '@hexagent/sdk';
import { model, turn } from '@hexagent/testing/scenarios';
import { z } from 'zod';
import type { Scenario, Scenarios } from './scenario.ts';

/** Sends the first message, stops its turn once this text was seen, and sends the others. */
const interruptingAt =
  (text: string): Scenario['program'] =>
  async ({ session, says: [first = '', ...others], until }) => {
    const stopped = session.send(first);
    await until(text);
    await stopped.interrupt();
    await stopped.result;
    for (const says of others) await session.send(says).result;
  };

export const interrupting: Scenarios = {
  'an interrupt in the middle of a text': {
    turns: [turn('one', [model.text(['partial ', model.wait])]), turn('two', 'fine')],
    options: { partialMessages: true },
    program: interruptingAt('"text":"partial "'),
    shows: ['turn ended: interrupted', 'fine'],
  },
  'an interrupt before the first word': {
    turns: [turn('one', [model.text([model.wait])]), turn('two', 'fine')],
    options: { partialMessages: true },
    program: interruptingAt('message_start'),
    shows: ['turn ended: interrupted', 'fine'],
  },
  'an interrupt while the host is asked': {
    turns: [turn('one', [model.call('Bash', { command: 'touch made' }, { asks: true })]), turn('two', 'fine')],
    decides: [null],
    program: interruptingAt('can_use_tool'),
    shows: ['turn ended: interrupted', 'fine'],
  },
  'an interrupt of a tool of the program': {
    turns: [turn('one', [model.call('mcp__own__hang', {}, { asks: true })]), turn('two', 'fine')],
    options: {
      tools: [tool('hang', 'Never answers.', { more: z.string().optional() }, () => new Promise<never>(() => {}))],
      permissions: { allow: ['mcp__own__hang'] },
    },
    program: interruptingAt('tools/call'),
    departs: [
      {
        about: '"result":{}',
        why: 'It is answered to what reports the cancelled call, before or after the next message.',
        isRace: true,
      },
    ],
    shows: ['turn ended: interrupted', 'fine'],
  },
  'a message that is taken back before its turn': {
    turns: [turn('one', [model.text(['partial ', model.wait])])],
    options: { partialMessages: true },
    async program({ session, until }) {
      const first = session.send('one');
      await until('"text":"partial "');
      const second = session.send('two');
      await second.received;
      await second.interrupt();
      await second.result;
      await first.interrupt();
      await first.result;
    },
    shows: ['turn ended: cancelled', 'turn ended: interrupted'],
  },
};
