import type { ChatAnswer } from '@hexagent/ports';
import type { ChatsFixture, OpenedChats, ReceivedAnswer } from '@hexagent/testing/contracts';
import { HandChats } from '@hexagent/testing';

/** Chats by hand, as the contracts use them. What `spoil` returns takes the place of what they have. */
export function handChatsFixture(spoil: (chats: HandChats) => Partial<OpenedChats> = () => ({})): ChatsFixture {
  const open = (room?: number): OpenedChats => {
    const chats = new HandChats({ room });
    return {
      sessions: chats,
      history: chats,
      approvals: chats,
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
      ...spoil(chats),
    };
  };
  return { open: () => open(), openSmall: () => open(2) };
}

const toReceived = ({ approved, suggestions = [], ...rest }: ChatAnswer): ReceivedAnswer => ({
  approved,
  suggestions: suggestions.length,
  text: JSON.stringify(rest),
});
