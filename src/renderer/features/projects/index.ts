export { CanvasTab } from './CanvasTab';
export { NewEntity } from './NewEntity';
export { ProjectsView } from './ProjectsView';
