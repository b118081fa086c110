import { lastUserText, toolResults, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';

/**
 * A model that answers by the prompt: with the turn of the first key that the prompt contains, and once the tools of
 * that turn have answered with their results. One session can then have many turns, in any order.
 */
export const byPrompt =
  (turns: Readonly<Record<string, TurnLike | ((request: ModelRequest) => TurnLike)>>) =>
  (request: ModelRequest): TurnLike => {
    const results = toolResults(request);
    if (results.length > 0) return results.map(({ text }) => text).join('; ') || 'no result';
    const prompt = lastUserText(request);
    const found = Object.entries(turns).find(([key]) => prompt.includes(key))?.[1];
    return (typeof found === 'function' ? found(request) : found) ?? 'ok';
  };
