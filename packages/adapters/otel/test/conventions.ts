import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

interface SpanModel {
  readonly kind: 'client' | 'internal';
  readonly required: readonly string[];
  readonly when_available: readonly string[];
  readonly when_failed: readonly string[];
  readonly opt_in: readonly string[];
  readonly other: readonly string[];
}

interface Model {
  readonly spans: Readonly<Record<string, SpanModel>>;
  readonly types: Readonly<Record<string, string>>;
  readonly providers: readonly string[];
  readonly metrics: Readonly<Record<string, { readonly unit: string; readonly required: readonly string[] }>>;
}

/** A part of the model of the semantic conventions. */
export const model = JSON.parse(readFileSync(new URL('fixtures/gen-ai-model.json', import.meta.url), 'utf8')) as Model; // a file of this repository

const matches: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value !== '',
  'string[]': (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  int: (value) => Number.isInteger(value),
  double: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
};

/** Fails unless the span is as the conventions have it. `isContentWanted`: what they have only on demand may be there. */
export function assertConventional(span: ReadableSpan, { isContentWanted = false } = {}): void {
  const { name, attributes, kind, status } = span;
  const operation = String(attributes['gen_ai.operation.name']);
  const wanted = model.spans[operation];
  assert(wanted, `There is no operation ${operation}: ${name}`);
  assert.equal(kind, wanted.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, name);
  const hasFailed = status.code === SpanStatusCode.ERROR;
  const required = [...wanted.required, ...(hasFailed ? wanted.when_failed : [])];
  const known = [...required, ...wanted.when_available, ...(isContentWanted ? wanted.opt_in : []), ...wanted.other];
  for (const key of required) assert(key in attributes, `${name} lacks ${key}`);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('hexagent.')) continue;
    assert(known.includes(key), `${name} has ${key}`);
    const type = model.types[key] ?? 'string';
    assert(matches[type]?.(value), `${name}: ${key} is no ${type}: ${String(value)}`);
  }
  if (operation !== 'execute_tool') assert(model.providers.includes(String(attributes['gen_ai.provider.name'])), name);
  const named = { invoke_agent: 'gen_ai.agent.name', chat: 'gen_ai.request.model', execute_tool: 'gen_ai.tool.name' }[
    operation
  ];
  assert.equal(name, `${operation} ${String(attributes[named ?? ''])}`);
}
