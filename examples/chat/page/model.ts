import { modelExamples, scriptExamples } from '../examples.ts';

/** Whether a script on this machine answers in place of a model. Set by the build. */
export const isScript: boolean = import.meta.env['VITE_IS_SCRIPT'] === 'yes';

export const examples = isScript ? scriptExamples : modelExamples;
