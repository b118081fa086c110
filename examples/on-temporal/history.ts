/* A history of a session as Temporal stores it, for a replay of the workflow without a server. */

type Attributes = Readonly<Record<string, unknown>>;

export interface History {
  readonly events: readonly Attributes[];
}

const payloads = (...values: readonly unknown[]): Attributes => ({
  payloads: values.map((value) => ({
    metadata: { encoding: Buffer.from('json/plain').toString('base64') },
    data: Buffer.from(JSON.stringify(value)).toString('base64'),
  })),
});

/** Builds it up event by event; each method returns it for the next one. */
export class HistoryBuilder {
  readonly #events: Attributes[] = [];
  #activities = 0;

  constructor(workflow: string) {
    const attributes = { workflowType: { name: workflow }, taskQueue: { name: 'sessions' }, input: payloads() };
    this.#add('WORKFLOW_EXECUTION_STARTED', {
      ...attributes,
      originalExecutionRunId: 'run',
      firstExecutionRunId: 'run',
      workflowTaskTimeout: '10s',
    });
  }

  signal(signalName: string, ...args: readonly unknown[]): this {
    this.#add('WORKFLOW_EXECUTION_SIGNALED', { signalName, input: payloads(...args) });
    return this;
  }

  /** The worker ran the workflow as far as it goes. */
  task(): this {
    const scheduledEventId = this.#add('WORKFLOW_TASK_SCHEDULED', { taskQueue: { name: 'sessions' } });
    const startedEventId = this.#add('WORKFLOW_TASK_STARTED', { scheduledEventId });
    this.#add('WORKFLOW_TASK_COMPLETED', { scheduledEventId, startedEventId });
    return this;
  }

  /** The workflow had asked for it, and it has ended. */
  activity(name: string, args: readonly unknown[], result: unknown): this {
    this.#activities += 1;
    const scheduledEventId = this.#add('ACTIVITY_TASK_SCHEDULED', {
      activityId: String(this.#activities),
      activityType: { name },
      taskQueue: { name: 'sessions' },
      input: payloads(...args),
      workflowTaskCompletedEventId: String(this.#events.length),
    });
    const startedEventId = this.#add('ACTIVITY_TASK_STARTED', { scheduledEventId });
    this.#add('ACTIVITY_TASK_COMPLETED', { scheduledEventId, startedEventId, result: payloads(result) });
    return this;
  }

  get history(): History {
    return { events: this.#events };
  }

  #add(type: string, attributes: Attributes): string {
    const eventId = String(this.#events.length + 1);
    const camel = type.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    this.#events.push({
      eventId,
      eventTime: '2026-01-01T00:00:00Z',
      eventType: `EVENT_TYPE_${type}`,
      [`${camel}EventAttributes`]: attributes,
    });
    return eventId;
  }
}
