export { createModelSelector } from './sampling';
