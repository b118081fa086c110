export { toLaunch } from './to-launch.ts';
