export { type Contribution, createTrust, type Pins, type Trust } from './trust';
