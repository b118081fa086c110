import type { MessageOrigin } from '@hexagent/ports';
import type { Mutable } from './mutable.ts';

/** Who a user's message comes from. */
export type SDKMessageOrigin = Mutable<MessageOrigin>;
