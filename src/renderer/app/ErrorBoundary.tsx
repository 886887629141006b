import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button, EmptyState } from '../ui';
import { t } from './text';

/** Keeps the failure of one view from taking the others with it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState icon={CircleAlert} title={t('failure.view')} text={t('failure.viewText')}>
        <Button onClick={() => this.setState({ failed: false })}>{t('ui.retry')}</Button>
      </EmptyState>
    );
  }
}
