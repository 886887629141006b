export { createWindows, type Windows } from './windows';
