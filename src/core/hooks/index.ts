export { broughtHooks } from './brought';
export type { Hooks } from './door';
export { createHooks } from './hooks';
