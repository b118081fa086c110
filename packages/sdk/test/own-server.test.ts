import { describe, expect, it } from 'vitest';
import { createSdk, createSdkMcpServer, tool } from '@hexagent/sdk';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';

const done = (): { content: [] } => ({ content: [] });
const make = (options: unknown) => () => createSdkMcpServer(options as { name: string }); // as a program without types may

describe('createSdkMcpServer()', () => {
  it.each<[unknown, string]>([
    [undefined, '`options` must be { name, tools }, not undefined.'],
    ['calc', '`options` must be { name, tools }, not a string.'],
    [{}, '`name` must be the name of the server, not undefined.'],
    [{ name: '' }, '`name` must be the name of the server, not an empty one.'],
    [{ name: 'calc', tool: [] }, '`tool` is not known. Did you mean `tools`?'],
    [{ name: 'calc', Tools: [] }, '`Tools` is not known. Did you mean `tools`?'],
    [{ name: 'calc', [Symbol('tools')]: [] }, '`options` must be an object whose keys are strings'],
    [{ name: 'calc', tools: 5 }, '`tools` must be a list of what tool() makes, not a number.'],
    [{ name: 'calc', tools: null }, '`tools` must be a list of what tool() makes, not null.'],
    [{ name: 'calc', tools: ['add'] }, '`tools[0]` must be what tool() makes, not a string.'],
    [{ name: 'calc', tools: [{}] }, '`tools[0].name` must be the name of the tool, not undefined.'],
    [{ name: 'calc', tools: [{ name: 'add' }] }, '`tools[0].description` must be a string'],
    [{ name: 'calc', tools: [{ name: 'add', description: 'd' }] }, '`tools[0].handler` must be a function'],
    [
      { name: 'calc', tools: [{ name: 'add', description: 'd', handler: done }] },
      '`tools[0].inputSchema` must be a shape, or {} for no arguments, not undefined.',
    ],
    [{ name: 'calc', version: 5 }, '`version` must be a string'],
    [{ name: 'calc', instructions: 5 }, '`instructions` must be a string, not a number.'],
    [{ name: 'calc', alwaysLoad: 'yes' }, '`alwaysLoad` must be true or false'],
    [{ name: 'calc', timeout: -1 }, '`timeout` must be a whole number of at least 0, not -1.'],
  ])('throws for invalid options, naming them: %o', (options, message) => {
    expect(make(options)).toThrow(TypeError);
    expect(make(options)).toThrow(message);
  });

  it('takes tools of a class, which keep their `this`', () => {
    class Adding {
      readonly name = 'add';
      readonly description = 'Adds';
      readonly inputSchema = {};
      handler = done;
    }
    const server = createSdkMcpServer({ name: 'calc', version: '2', tools: [new Adding()], timeout: 0 });
    expect(server).toMatchObject({ type: 'sdk', name: 'calc' });
  });
});

describe('tool()', () => {
  it.each<[readonly unknown[], string]>([
    [[], '`name` must be the name of the tool, not undefined.'],
    [['add'], '`description` must be a string, from which the model chooses the tool, not undefined.'],
    [['add', 'd', {}], '`handler` must be a function, not undefined.'],
    [['add', 'd', {}, done, null], '`extras` must be a plain object, not null.'],
    [['add', 'd', {}, done, { searchHints: 'x' }], '`extras.searchHints` is not known. Did you mean'],
    [['add', 'd', {}, done, { alwaysLoad: 1 }], '`extras.alwaysLoad` must be true or false, not 1.'],
  ])('throws for invalid arguments, naming them: %o', (given, message) => {
    const make = (): unknown => Reflect.apply(tool, undefined, given);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

describe('A server that is made for each session', () => {
  const connectable = { connect: async () => {}, close: async () => {} };
  const open = async (mine: unknown): Promise<unknown> => {
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const session = await createSdk({ transport }).openSession({ tools: [{ mine: mine as never }] });
    await session.close();
    return 'opened';
  };

  it('is an option like others', async () => {
    expect(await open({ type: 'sdk', name: 'mine', create: () => connectable, timeout: 5 })).toBe('opened');
  });

  it.each<[unknown, string]>([
    [{ type: 'sdk', name: 'mine', create: connectable }, '`tools[0].mine.create` must be a function, not an object.'],
    [
      { type: 'sdk', name: 'mine', create: () => connectable, instance: connectable },
      '`tools[0].mine.instance` is not known.',
    ],
    [
      { type: 'sdk', name: 'mine' },
      '`tools[0].mine.instance` must be an object with the method connect, not undefined.',
    ],
  ])('is refused by name when it is invalid: %o', async (config, message) => {
    await expect(open(config)).rejects.toThrow(message);
  });
});
