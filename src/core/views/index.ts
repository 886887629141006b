export { createViews } from './create-views';
export type { ViewPage, Views, ViewWords } from './views';
