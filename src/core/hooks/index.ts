export type { Hooks } from './door';
export { createHooks } from './hooks';
