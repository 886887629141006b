export { durableWrite } from './durable-write';
export { isWithin, safePath, safeSegments } from './safe-path';
