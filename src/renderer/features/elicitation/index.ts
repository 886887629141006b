export { ServerQuestions } from './ServerQuestions';
