export { ServersView } from './ServersView';
