// Guards against accidents, such as a library that is bundled by mistake: each limit is the recorded size and a tenth more.
// No reason to bend code: record a new figure where it grew on purpose. Builds come first: `pnpm build`.
const dist = 'packages/sdk/dist';
const aTenthMore = (bytes) => `${Math.round(bytes * 1.1)} B`;

/** What Node reads for an import of this door. */
const imported = (door, { chunks, bytes }) => ({
  name: `import of ${door}`,
  path: [`${dist}/${door}.js`, ...chunks.map((name) => `${dist}/chunks/${name}.js`)],
  disablePlugins: ['@size-limit/rolldown'],
  brotli: false,
  limit: aTenthMore(bytes),
});

/** What a program that bundles one export of this file gets. */
const bundled = (name, { path, exported, bytes }) => ({
  name,
  path,
  import: `{ ${exported} }`,
  ignore: ['@modelcontextprotocol/sdk', 'zod'],
  brotli: false,
  limit: aTenthMore(bytes),
  modifyRolldownConfig: (config) => ({ ...config, platform: 'node' }),
});

export default [
  imported('index', { chunks: ['shared', 'shared-by-native'], bytes: 872_500 }),
  imported('claude-agent-sdk', { chunks: ['shared'], bytes: 458_800 }),
  bundled('query() with all it may load, bundled and minified', {
    path: `${dist}/claude-agent-sdk.js`,
    exported: 'query',
    bytes: 305_800,
  }),
  bundled('createHooks() without a ready-made hook, bundled and minified', {
    path: 'packages/domain/hooking/dist/index.js',
    exported: 'createHooks',
    bytes: 19_300,
  }),
];
