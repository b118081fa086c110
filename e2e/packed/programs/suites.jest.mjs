import { runSuites } from './suites.mjs';

// Jest makes them global.
runSuites({ describe, it });
