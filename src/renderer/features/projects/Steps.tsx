import {
  CalendarClock,
  CircleSlash,
  Link2Off,
  type LucideIcon,
  Play,
  RefreshCcwDot,
  Scale,
  TimerReset,
} from 'lucide-react';
import type { NextStep } from '../../../contract/projects';
import { t } from '../../base/text/text';
import { stepReason, stepVerb } from './words';

const icons: Readonly<Record<NextStep['why']['kind'], LucideIcon>> = {
  'break-circle': RefreshCcwDot,
  repair: Link2Off,
  decide: Scale,
  unblock: CircleSlash,
  start: Play,
  replan: CalendarClock,
  'look-after': TimerReset,
};

export function StepLine({ step, onOpen }: { step: NextStep; onOpen(id: string): void }) {
  const Icon = icons[step.why.kind];
  return (
    <button type="button" className="step" onClick={() => onOpen(step.id)}>
      <Icon className={`step-icon step-${step.why.kind}`} size={14} strokeWidth={1.75} aria-hidden />
      <span className="step-text">
        <span>
          {stepVerb(step)} <span className="entity-id">{step.id}</span> {step.title}
        </span>
        <small>{stepReason(step)}</small>
      </span>
    </button>
  );
}

export function Steps({ steps, onOpen }: { steps: readonly NextStep[]; onOpen(id: string): void }) {
  return (
    <section className="project-panel">
      <h2>{t('overview.steps')}</h2>
      {steps.length === 0 && <p className="project-quiet">{t('overview.noSteps')}</p>}
      <ul>
        {steps.map((step) => (
          <li key={JSON.stringify(step)}>
            <StepLine step={step} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  );
}
