import type { ChatAnswer } from '@hexagent/ports';
import type { HandChats } from '../doubles/chats/hand-chats.ts';
import type { OpenedChats, ReceivedAnswer } from './chat-fixture.ts';

/** The agents of chats that a test drives by hand, as the contracts of chats see them. */
export function agentsByHand(chats: HandChats): Pick<OpenedChats, 'turn' | 'received'> {
  return {
    async turn(chatId, { tenant }) {
      const turn = chats.turnOf(chatId, tenant);
      if (turn === undefined) throw new Error(`No turn runs in ${chatId}.`);
      return {
        write: (text) => turn.write(text),
        end: () => turn.end(),
        die: () => turn.cut(),
        async ask(asked) {
          const { id, answer } = chats.ask(chatId, asked, tenant);
          return { id, answer: answer.then(toReceived) };
        },
      };
    },
    received: (chatId, { tenant }) =>
      chats
        .receivedBy(chatId, tenant)
        .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
  };
}

const toReceived = ({ approved, suggestions = [], ...rest }: ChatAnswer): ReceivedAnswer => ({
  approved,
  suggestions: suggestions.length,
  text: JSON.stringify(rest),
});
