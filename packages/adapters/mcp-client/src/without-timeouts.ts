import type { HttpFetch } from './server-options.ts';

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

// Where the `fetch` of Node keeps its dispatcher; a program may have put its own proxy there.
const place = Symbol.for('undici.globalDispatcher.1');

/**
 * `fetch` as the runtime has it, without the limit of Node of five minutes for headers and for a pause in a body: a tool
 * may work for longer than that, and a stream on which the server reports changes is silent most of the time.
 */
export const withoutTimeouts: HttpFetch = (url, init) => {
  const patient: Dispatcher = {
    dispatch: (options, handler) => {
      const dispatcher: Dispatcher = Reflect.get(globalThis, place);
      return dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
    },
  };
  // Another runtime ignores the option.
  return fetch(url, { ...init, dispatcher: patient } as RequestInit);
};
