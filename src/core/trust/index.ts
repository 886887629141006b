export { type BroughtThing, createTrust, type Pins, type Trust } from './trust';
