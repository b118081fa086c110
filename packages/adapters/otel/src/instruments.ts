import type { Attributes, Counter, Histogram, Meter, UpDownCounter } from '@opentelemetry/api';
import type { Spending } from '@hexagent/ports';
import { errorType, genAi, own } from './names.ts';
import type { Ending } from './ending.ts';

/** The metrics. Names without `hexagent` are those of the semantic conventions. */
export class Instruments {
  readonly #turns: Histogram;
  readonly #chats: Histogram;
  readonly #firstChunks: Histogram;
  readonly #tools: Histogram;
  readonly #tokens: Histogram;
  readonly #tokensByType: Counter;
  readonly #cost: Counter;
  readonly #waits: Histogram;
  readonly #waiting: UpDownCounter;
  readonly #agents: UpDownCounter;

  constructor(meter: Meter) {
    const duration = (name: string, description: string): Histogram =>
      meter.createHistogram(name, { unit: 's', description });
    this.#turns = duration('gen_ai.invoke_agent.duration', 'How long turns and subagents take.');
    this.#chats = duration('gen_ai.client.operation.duration', 'How long requests to the model take.');
    this.#firstChunks = duration(
      'gen_ai.client.operation.time_to_first_chunk',
      'How long the model takes to begin its answer.',
    );
    this.#tools = duration(
      'gen_ai.execute_tool.duration',
      'How long calls of tools take, with the wait for a permission.',
    );
    this.#tokens = meter.createHistogram('gen_ai.client.token.usage', {
      unit: '{token}',
      description: 'Tokens of a turn, by model.',
    });
    this.#tokensByType = meter.createCounter('hexagent.tokens', {
      unit: '{token}',
      description: 'Tokens by model and type: input, output, cache_read, cache_write.',
    });
    this.#cost = meter.createCounter('hexagent.cost', { unit: '{USD}', description: 'US dollars, by model.' });
    this.#waits = duration('hexagent.approval.wait', 'How long requests to the program wait for their answer.');
    this.#waiting = meter.createUpDownCounter('hexagent.approvals.waiting', {
      unit: '{request}',
      description: 'Requests that wait for an answer now.',
    });
    this.#agents = meter.createUpDownCounter('hexagent.agents.live', {
      unit: '{agent}',
      description: 'Agents that run.',
    });
  }

  turnEnded(seconds: number, attributes: Attributes, ending: Ending): void {
    this.#turns.record(seconds, withError(attributes, ending));
  }

  chatEnded(seconds: number, attributes: Attributes, ending: Ending): void {
    this.#chats.record(seconds, withError(attributes, ending));
  }

  firstChunk(seconds: number, attributes: Attributes): void {
    this.#firstChunks.record(seconds, attributes);
  }

  toolEnded(seconds: number, attributes: Attributes, ending: Ending): void {
    this.#tools.record(seconds, withError(attributes, ending));
  }

  spent(models: Readonly<Record<string, Spending>>, common: Attributes): void {
    for (const [model, { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost }] of Object.entries(
      models,
    )) {
      const attributes = { ...common, [genAi.requestModel]: model };
      const all = { ...attributes, [genAi.operation]: 'chat' };
      this.#tokens.record(inputTokens + cacheReadTokens + cacheWriteTokens, { ...all, [genAi.tokenType]: 'input' });
      this.#tokens.record(outputTokens, { ...all, [genAi.tokenType]: 'output' });
      const byType = {
        input: inputTokens,
        output: outputTokens,
        cache_read: cacheReadTokens,
        cache_write: cacheWriteTokens,
      };
      for (const [type, count] of Object.entries(byType))
        if (count > 0) this.#tokensByType.add(count, { ...attributes, [own.tokenType]: type });
      if (cost > 0) this.#cost.add(cost, attributes);
    }
  }

  approvalOpened(): void {
    this.#waiting.add(1);
  }

  approvalClosed(seconds: number, attributes: Attributes): void {
    this.#waiting.add(-1);
    this.#waits.record(seconds, attributes);
  }

  agentStarted(): void {
    this.#agents.add(1);
  }

  agentGone(): void {
    this.#agents.add(-1);
  }
}

function withError(attributes: Attributes, { error }: Ending): Attributes {
  return error === undefined ? attributes : { ...attributes, [errorType]: error };
}
