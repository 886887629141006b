export { Files } from './Files';
export { Welcome } from './Welcome';
