export { ToolBrowser } from './ToolBrowser';
