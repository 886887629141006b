export { lendModel } from './sampling';
