export { ForeignRedirect } from './redirects';
export { networkFetch, setNetwork } from './routes';
