import { isRecord } from '@hexagent/checks';
import { agentShapes } from './shapes/agent.ts';
import { objectOf } from './shapes/objects.ts';
import { plainShapes } from './shapes/plain.ts';
import { pluginShapes } from './shapes/plugins.ts';
import { screenShapes } from './shapes/screen.ts';
import { type Author, type Fields, unreadable } from './shapes/shape.ts';
import { toolShapes } from './shapes/tools.ts';

export type Settings = { readonly [key: string]: unknown };

const shapes: Fields = {
  ...agentShapes,
  ...plainShapes,
  ...pluginShapes,
  ...screenShapes,
  ...toolShapes,
};

/** Other names of two settings, which count where the first name is not there. */
const otherNames: { readonly [name: string]: string } = {
  additionalMarketplaces: 'extraKnownMarketplaces',
  allowedMarketplaces: 'strictKnownMarketplaces',
};

/**
 * Settings as they count. Of a person's file `undefined` when one value cannot be read, as the agent then ignores the
 * file; of a policy what can be read, with the strictest value in place of one that cannot.
 */
export function readSettings(given: unknown, author: Author): Settings | undefined {
  if (!isRecord(given)) return undefined;
  const read: [string, unknown][] = [];
  for (const [key, value] of Object.entries(withFirstNames(given))) {
    const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined;
    const setting = shape === undefined ? value : shape(value, author);
    if (setting === unreadable && author === 'person') return undefined;
    // A key that is left out stays as a name without a value, which shows that the file was read.
    if (setting !== unreadable && !(policyKeys.has(key) && setting === undefined)) read.push([key, setting]);
  }
  return objectOf(read);
}

const policyKeys = new Set(['deniedModels', 'availableModelsMatch', 'managedMcpServers', 'attributionProjectPolicy']);

function withFirstNames(given: Settings): Settings {
  const named = Object.entries(given).filter(([key]) => !Object.hasOwn(otherNames, key));
  for (const [other, first] of Object.entries(otherNames)) {
    if (given[other] !== undefined && given[first] === undefined) named.push([first, given[other]]);
  }
  return objectOf(named);
}
