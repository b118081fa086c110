import { agentsByHand, type ChatsFixture, type OpenedChats } from '@hexagent/testing/contracts';
import { HandChats } from '@hexagent/testing';

/** Chats by hand, as the contracts use them. What `spoil` returns takes the place of what they have. */
export function handChatsFixture(spoil: (chats: HandChats) => Partial<OpenedChats> = () => ({})): ChatsFixture {
  const open = (room?: number): OpenedChats => {
    const chats = new HandChats({ room });
    return {
      sessions: chats,
      history: chats,
      approvals: chats,
      ...agentsByHand(chats),
      ...spoil(chats),
    };
  };
  return { open: () => open(), openSmall: () => open(2) };
}
