import { useEffect, useState } from 'react';
import { steer } from './api.ts';
import { idsIn } from './tools.ts';
import type { ChatMessage, Draft } from './wire.ts';

interface Options {
  readonly id: string;
  readonly messages: readonly ChatMessage[];
  /** The server did not take it. */
  onRefused(draft: Draft): void;
  onFailure(error: unknown): void;
}

/** Messages that were sent while the agent works: shown as waiting until the agent takes them up. */
export function useQueue({ id, messages, onRefused, onFailure }: Options) {
  const [queued, setQueued] = useState<readonly ChatMessage[]>([]);
  const taken = queued.length === 0 ? new Set<string>() : idsIn(messages);
  const waiting = queued.filter((message) => !taken.has(message.id));
  useEffect(() => {
    if (waiting.length < queued.length) setQueued(waiting);
  }, [waiting, queued]);

  const add = (draft: Draft): void => {
    const message: ChatMessage = {
      id: crypto.randomUUID(),
      role: 'user',
      parts: [...draft.files, ...(draft.text === '' ? [] : [{ type: 'text' as const, text: draft.text }])],
    };
    setQueued((all) => [...all, message]);
    steer(id, message).catch((error: unknown) => {
      setQueued((all) => all.filter((each) => each !== message));
      onRefused(draft);
      onFailure(error);
    });
  };
  return { waiting, add };
}
