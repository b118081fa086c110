import { commandReaderContract } from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { commandReader } from '../src/index.ts';

commandReaderContract({ describe, it }, { reader: commandReader });
