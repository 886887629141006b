export { DialogQuestions, ServerQuestions } from './ServerQuestions';
