import { describe, it } from 'bun:test';
import { runSuites } from './suites.mjs';

runSuites({ describe, it });
