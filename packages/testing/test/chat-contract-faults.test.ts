import { chatApprovalsContract, chatHistoryContract, chatSessionsContract } from '@hexagent/testing/contracts';
import { describe } from 'vitest';
import { findsAll } from './contract-faults.ts';
import { ofApprovals } from './faults-of-approvals.ts';
import { ofChats } from './faults-of-chats.ts';
import { ofHistory } from './faults-of-history.ts';
import { ofMessages } from './faults-of-messages.ts';
import { ofStreams } from './faults-of-streams.ts';

const ofSessions = [...ofMessages, ...ofStreams, ...ofChats];

describe('The contract of chats', () => findsAll(chatSessionsContract, 'sessions', ofSessions));
describe('The contract of their history', () => findsAll(chatHistoryContract, 'history', ofHistory));
describe('The contract of their approvals', () => findsAll(chatApprovalsContract, 'approvals', ofApprovals));
