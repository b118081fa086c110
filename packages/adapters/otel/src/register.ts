// `node --import @hexagent/otel/register program.js`: the program itself stays as it is.
import { instrument } from './instrument.ts';

instrument();
