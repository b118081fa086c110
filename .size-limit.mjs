// Guards against accidents, such as a library that is bundled by mistake: each limit is the recorded size and a tenth more.
// No reason to bend code: record a new figure where it grew on purpose. Builds come first: `pnpm build`.
const dist = 'packages/sdk/dist';
const aTenthMore = (bytes) => `${Math.round(bytes * 1.1)} B`;

/** What Node reads for an import of this door. */
const imported = (door, bytes) => ({
  name: `import of ${door}`,
  path: [`${dist}/${door}.js`, `${dist}/chunks/shared.js`],
  disablePlugins: ['@size-limit/rolldown'],
  brotli: false,
  limit: aTenthMore(bytes),
});

export default [
  imported('index', 734_200),
  imported('claude-agent-sdk', 440_400),
  {
    name: 'query() with all it may load, bundled and minified',
    path: `${dist}/claude-agent-sdk.js`,
    import: '{ query }',
    ignore: ['@modelcontextprotocol/sdk', 'zod'],
    brotli: false,
    limit: aTenthMore(265_900),
    modifyRolldownConfig: (config) => ({ ...config, platform: 'node' }),
  },
];
