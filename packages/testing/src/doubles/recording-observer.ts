import type { ObservedEvent, Observer } from '@hexagent/ports';

/** Records every event. */
export class RecordingObserver implements Observer {
  readonly events: ObservedEvent[] = [];

  observe(event: ObservedEvent): void {
    this.events.push(event);
  }

  /** The events of one kind, in order. */
  of<Kind extends ObservedEvent['kind']>(kind: Kind): Extract<ObservedEvent, { readonly kind: Kind }>[] {
    return this.events.filter((event): event is Extract<ObservedEvent, { readonly kind: Kind }> => event.kind === kind);
  }
}
