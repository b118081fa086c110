import { Refusal } from './refusal.ts';

export type Route =
  | { readonly name: 'send' }
  | {
      readonly name: 'resume' | 'interrupt' | 'restart' | 'discard' | 'messages' | 'rename' | 'delete';
      readonly chatId: string;
    }
  | { readonly name: 'settle'; readonly chatId: string; readonly approvalId: string }
  | { readonly name: 'list' };

interface Shape {
  readonly method: string;
  /** `:chat` and `:approval` stand for ids. */
  readonly path: readonly string[];
  readonly name: Route['name'];
}

export const shapes: readonly Shape[] = [
  { method: 'POST', path: ['chat'], name: 'send' },
  { method: 'GET', path: ['chat', ':chat', 'stream'], name: 'resume' },
  { method: 'POST', path: ['chat', ':chat', 'interrupt'], name: 'interrupt' },
  { method: 'POST', path: ['chat', ':chat', 'restart'], name: 'restart' },
  { method: 'POST', path: ['chat', ':chat', 'discard'], name: 'discard' },
  { method: 'POST', path: ['chat', ':chat', 'approvals', ':approval'], name: 'settle' },
  { method: 'GET', path: ['sessions'], name: 'list' },
  { method: 'GET', path: ['sessions', ':chat', 'messages'], name: 'messages' },
  { method: 'POST', path: ['sessions', ':chat', 'rename'], name: 'rename' },
  { method: 'DELETE', path: ['sessions', ':chat'], name: 'delete' },
];

/** @throws {Refusal} for an unknown address, for another method, and for an invalid id. */
export function findRoute(method: string, pathname: string, basePath: string): Route {
  const nowhere = new Refusal('NOT_FOUND', 'There is nothing at this address.');
  if (!pathname.startsWith(`${basePath}/`)) throw nowhere;
  const segments = pathname.slice(basePath.length + 1).split('/');
  const here = shapes.filter(({ path }) => isAt(path, segments));
  if (here.length === 0) throw nowhere;
  const shape = here.find((each) => each.method === method);
  if (shape === undefined) {
    const allow = here.map((each) => each.method).join(', ');
    throw new Refusal('METHOD_NOT_ALLOWED', `This address takes ${allow}.`, { allow });
  }
  return toRoute(shape, segments);
}

function isAt(path: readonly string[], segments: readonly string[]): boolean {
  return path.length === segments.length && path.every((each, at) => each.startsWith(':') || each === segments[at]);
}

function toRoute({ name, path }: Shape, segments: readonly string[]): Route {
  const idAt = (placeholder: string): string => checkId(decode(segments[path.indexOf(placeholder)] ?? ''), 'address');
  if (name === 'send' || name === 'list') return { name };
  if (name === 'settle') return { name, chatId: idAt(':chat'), approvalId: idAt(':approval') };
  return { name, chatId: idAt(':chat') };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal('BAD_ID', 'The address has an id that is not encoded as addresses are.');
  }
}

/**
 * An id becomes a key of stores and a part of file names, so it holds nothing that means something there.
 * @throws {Refusal} for anything else.
 */
export function checkId(id: unknown, where: string): string {
  if (typeof id === 'string' && /^[A-Za-z0-9_:-]{1,128}$/.test(id)) return id;
  throw new Refusal('BAD_ID', `The id in the ${where} is no id.`);
}
