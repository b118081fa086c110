import { turn } from '@hexagent/testing/scenarios';
import type { Scenarios } from './scenario.ts';

export const sessions: Scenarios = {
  'a session that is resumed': {
    turns: [turn('one', 'first')],
    continues: { how: 'resume', turns: [turn('two', 'second')] },
    shows: ['first', 'second'],
  },
  'a session that is copied': {
    turns: [turn('one', 'first')],
    continues: { how: 'fork', turns: [turn('two', 'second')] },
    shows: ['first', 'second'],
  },
  'the newest session, which is continued': {
    turns: [turn('one', 'first')],
    continues: { how: 'continue', turns: [turn('two', 'second')] },
    shows: ['first', 'second'],
  },
  'a mode that is changed between turns': {
    turns: [turn('one', 'first'), turn('two', 'second')],
    async program({ session, says: [one = '', two = ''] }) {
      await session.send(one).result;
      await session.setPermissionMode('acceptEdits');
      await session.send(two).result;
    },
    shows: ['"permissionMode":"acceptEdits"', 'second'],
  },
  'a model that is changed between turns': {
    turns: [turn('one', 'first'), turn('two', 'second')],
    async program({ session, says: [one = '', two = ''] }) {
      await session.send(one).result;
      await session.setModel('claude-haiku-4-5');
      await session.send(two).result;
    },
    shows: ['set_model', 'second'],
  },
};
