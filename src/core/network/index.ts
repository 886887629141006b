export { externalAddress } from './external-address';
export { NotReached, type Resolve, resolveName } from './reaching';
export { ForeignRedirect } from './redirects';
export { fetchReaching, networkFetch, setNetwork } from './routes';
