import { describe, it } from 'node:test';
import { runSuites } from './suites.mjs';

runSuites({ describe, it });
