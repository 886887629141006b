import type { HealthReport } from '../../contract/health';
import type { Picture } from '../foundation';

export interface Health {
  readonly report: Picture<HealthReport>;
  close(): void;
}
