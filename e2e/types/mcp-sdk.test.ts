import { describe, expect, it } from 'vitest';
import { refuted } from './compare.ts';

const imports = [
  `import type * as ours from '@hexagent/sdk';`,
  'type NotAny<T> = 0 extends 1 & T ? false : true;',
  `type Instance = ReturnType<typeof ours.createSdkMcpServer>['instance'];`,
];

const claims = [
  { id: 'is no any', code: 'export const claim0: NotAny<Instance> = true;' },
  { id: 'can be connected', code: 'export const claim1 = (given: Instance): Promise<void> => given.close();' },
  { id: 'takes tools', code: 'export const claim2 = (given: Instance): unknown => given.registerTool;' },
];

describe('`instance` of a server made by createSdkMcpServer()', () => {
  it('has the type of the installed MCP SDK', async () => {
    expect(await refuted(imports, claims)).toEqual(new Map());
  });

  it('has what sessions need where there is no MCP SDK, and is no any', async () => {
    expect([...(await refuted(imports, claims, { client: 'none' })).keys()]).toEqual(['takes tools']);
  });
});
