export { ServerView, type ServerViewProps } from './ServerView';
