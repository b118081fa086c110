// The arrows of the hexagon: who may import whom. scripts/test/arrows.test.ts plants violations and sees them caught.
import { carried } from './scripts/bundling.mjs';
import { publishedPackages } from './scripts/workspace.mjs';

const anyPackage = '^packages/(?:domain/|adapters/|stored/|server/)?[^/]+/';
const samePackage = '^packages/$1/';
// $1 is the package's folder below `packages/`.
const eachPackage = '^packages/((?:domain/|adapters/|stored/|server/)?[^/]+)/';
const modulesOf = (names) => `node_modules/(?:${names.join('|')})/`;

// A peer is often a devDependency too, for our own tests; then a user has it.
const onlyForUs = { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer', 'npm-optional'] };

const folders = Object.fromEntries(publishedPackages().map(({ name, folder }) => [name, folder]));
const carriers = Object.entries(carried);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Modules that need each other are one module.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contracts-know-nobody',
      comment: 'ports and async depend on nothing, the runtime included.',
      severity: 'error',
      from: { path: '^packages/(async|ports)/src/' },
      to: { pathNot: '^packages/$1/src/' },
    },
    {
      name: 'checks-knows-contracts-only',
      comment: 'Checks of values run wherever a value comes in: they need the vocabulary, and no runtime.',
      severity: 'error',
      from: { path: '^packages/checks/src/' },
      to: { pathNot: '^packages/(?:checks|ports)/src/' },
    },
    {
      name: 'processes-knows-contracts-only',
      comment: 'A kit for all that start programs: of the runtime it may use what it likes, of ours the contracts.',
      severity: 'error',
      from: { path: '^packages/processes/src/' },
      to: { pathNot: '^packages/(?:async|checks|ports|processes)/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'domain-decides',
      comment:
        'A service sees ports, async and checks only: no other service, no adapter, no node:*, no schema, no container.',
      severity: 'error',
      from: { path: '^packages/(domain/[^/]+|stored/transcripts|server/approvals|server/fleet|server/hosting)/src/' },
      to: { pathNot: '^packages/(?:async|checks|ports|$1)/src/' },
    },
    {
      name: 'adapters-stand-alone',
      comment:
        'An adapter, and a room of a storey, reaches every other room through ports; a composition root joins them.',
      severity: 'error',
      from: {
        path: '^packages/((?:adapters|stored|server)/[^/]+)/src/',
        pathNot: '^packages/server/(?:chat|inspector)/',
      },
      to: { path: '^packages/', pathNot: '^packages/(?:async|checks|ports|processes|$1)/src/' },
    },
    {
      name: 'the-inspector-reads-tapes',
      comment: 'What an inspector shows is a tape, of a file or of a running program. It reaches nothing else.',
      severity: 'error',
      from: { path: '^packages/server/inspector/src/' },
      to: { path: '^packages/', pathNot: '^packages/(?:checks|ports|adapters/tapes|server/inspector)/src/' },
    },
    {
      name: 'a-page-carries-all-it-needs',
      comment: 'A browser finds no package by its name: the page and the fold behind it import only each other.',
      severity: 'error',
      from: { path: '^packages/server/inspector/src/(?:page|fold)/' },
      to: { pathNot: '^packages/server/inspector/src/(?:page|fold)/' },
    },
    {
      name: 'testing-takes-the-sdk-as-an-argument',
      comment: 'Everybody tests with testing, so it may need only what everybody needs.',
      severity: 'error',
      from: { path: '^packages/testing/src/' },
      to: { path: '^packages/', pathNot: '^packages/(?:async|checks|ports|processes|testing)/src/' },
    },
    {
      name: 'nobody-needs-the-facade',
      comment: 'Only programs import the facade, its drop-in under another name, and the door for servers.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/(?:claude-agent-sdk|sdk|server/chat)/' },
      to: { path: '^packages/sdk/' },
    },
    {
      name: 'the-facade-knows-no-server',
      comment: 'A server is built on the facade. A facade that imported one would load it into every program.',
      severity: 'error',
      from: { path: '^packages/sdk/' },
      to: { path: '^packages/server/' },
    },
    {
      name: 'chat-joins-the-server',
      comment: 'The door for servers joins their rooms with the facade, and reaches nothing behind the facade.',
      severity: 'error',
      from: { path: '^packages/server/chat/src/' },
      to: { path: '^packages/', pathNot: '^packages/(?:async|checks|ports|processes|sdk|server/[^/]+)/src/' },
    },
    {
      name: 'one-container',
      comment: 'Only the composition root knows the container.',
      severity: 'error',
      from: { path: '^(?:packages|examples)/', pathNot: '^packages/sdk/src/' },
      to: { path: modulesOf(['tsyringe']) },
    },
    {
      name: 'sources-do-not-need-tests',
      comment: 'Published sources import neither test doubles nor tests.',
      severity: 'error',
      from: { path: `${anyPackage}src/`, pathNot: '^packages/testing/' },
      to: { path: ['^packages/testing/', '/test/'] },
    },
    {
      name: 'by-name-not-by-path',
      comment: 'Another package is reached by its name: a path goes round its surface and makes tsc emit into it.',
      severity: 'error',
      from: { path: eachPackage },
      to: { path: '^packages/', pathNot: samePackage, dependencyTypes: ['local'] },
    },
    {
      name: 'own-modules-by-path',
      comment: 'A source that imports its package by name is another package, or is loaded twice where it is bundled.',
      severity: 'error',
      from: { path: `${eachPackage}src/` },
      to: { path: samePackage, dependencyTypesNot: ['local'] },
    },
    {
      name: 'published-code-brings-what-it-imports',
      comment: 'A devDependency is not there for a user, unless scripts/bundling.mjs says that the bundle carries it.',
      severity: 'error',
      from: { path: `${anyPackage}src/`, pathNot: carriers.map(([name]) => `^${folders[name]}/src/`) },
      to: onlyForUs,
    },
    ...carriers.map(([name, modules]) => ({
      name: 'published-code-brings-what-it-imports',
      comment: `${name} carries only ${modules.join(' and ')}.`,
      severity: 'error',
      from: { path: `^${folders[name]}/src/` },
      to: { ...onlyForUs, pathNot: modulesOf(modules) },
    })),
    {
      name: 'declared',
      comment: 'What is imported is in the package.json of the importer.',
      severity: 'error',
      from: { path: '^(?:packages|examples|e2e|bench)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere would escape every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Of ours only: an excluded module takes every import of it out of sight, and tsyringe too lives in a `dist`.
    exclude: { path: '^(?!.*node_modules/).*(?:^|/)(?:dist|fixtures)/' },
    // Types are dependencies too.
    tsPreCompilationDeps: true,
    // The test runner is installed once, at the root.
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@hexagent/source', 'types', 'import', 'default'],
      extensions: ['.ts', '.mts', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
