export { hookContributions } from './contributions';
export { createHooks, type Hooks } from './hooks';
