export { hermeticEnv, type HermeticEnvOptions } from './env.ts';
export { hermeticHome, type HermeticHome } from './home.ts';
