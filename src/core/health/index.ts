export { createHealth, type Health } from './report';
