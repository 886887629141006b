export { createModelSelector as lendModel } from './sampling';
