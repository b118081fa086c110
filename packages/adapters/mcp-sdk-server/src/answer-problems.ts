/*
 * What the agent does not take of a server's answers. Loaded with the first answer that is checked: most programs have no
 * servers. A file that imported any of it would load it with the facade.
 */
export { introductionProblem } from './introduction-problem.ts';
export { listingProblem, toolsLeftOut } from './tool-listing.ts';
