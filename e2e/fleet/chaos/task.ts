/** A message of the chaos run, whose text says what its agent does. */
export interface Task {
  readonly session: string;
  /** From 0 in each session. */
  readonly index: number;
  readonly id: string;
  readonly text: string;
}

type Ways = ReturnType<typeof readTask>;

export const taskText = (session: string, index: number, { takesMs, isAsked, exits }: Ways): string =>
  `${session} #${index} takes ${takesMs}${isAsked ? ' asks' : ''}${exits ? ' exits' : ''}`;

export function readTask(text: string): {
  readonly takesMs: number;
  readonly isAsked: boolean;
  readonly exits: boolean;
} {
  const takesMs = Number(/ takes (\d+)/.exec(text)?.[1] ?? 30);
  return { takesMs, isAsked: text.endsWith(' asks'), exits: text.endsWith(' exits') };
}

export const indexOf = (text: string): number => Number(/#(\d+)/.exec(text)?.[1]);

/** Messages of the sessions in turn; some are long, some ask, and the agents of some exit. */
export function makeTasks(random: () => number, sessions: number, messages: number): readonly Task[] {
  return Array.from({ length: messages }, (_, at) => {
    const [session, index] = [`chat-${at % sessions}`, Math.floor(at / sessions)];
    const kind = random();
    const takesMs = Math.round(random() < 0.25 ? 1500 + random() * 4500 : 30 + random() * 400);
    const text = taskText(session, index, { takesMs, isAsked: kind < 0.1, exits: kind > 0.97 });
    return { session, index, id: crypto.randomUUID(), text };
  });
}
