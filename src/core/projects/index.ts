export type { Projects } from './door';
export { createProjects } from './projects';
