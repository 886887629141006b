import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode, useEffect, useRef } from 'react';
import { Button, EmptyState } from '../ui';
import { useConnected } from './connected';
import { NotConnected } from './NotConnected';
import { renewFailed } from './preloaded';
import { t } from './text';

/** Keeps the failure of one view from taking the others with it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const again = () => {
      renewFailed();
      this.setState({ failed: false });
    };
    return <Failed again={again} />;
  }
}

/** Without the core its file may just not have been there. */
function Failed({ again }: { again(): void }) {
  const connected = useConnected();
  const wasConnected = useRef(connected);
  useEffect(() => {
    if (connected && !wasConnected.current) again();
    wasConnected.current = connected;
  }, [connected, again]);
  if (!connected) return <NotConnected />;
  return (
    <EmptyState icon={CircleAlert} title={t('failure.view')} text={t('failure.viewText')}>
      <Button onClick={again}>{t('ui.retry')}</Button>
    </EmptyState>
  );
}
