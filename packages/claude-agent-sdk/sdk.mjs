// The entry under its official name, by which programs find what lies beside it.
export * from './dist/index.js';
