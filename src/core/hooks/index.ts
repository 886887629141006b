export { broughtHooks } from './brought';
export { createHooks, type Hooks } from './hooks';
