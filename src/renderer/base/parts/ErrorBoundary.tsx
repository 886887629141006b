import { CircleAlert, RotateCw } from 'lucide-react';
import { Component, type ReactNode, useEffect, useRef } from 'react';
import { Button, EmptyState, IconButton, renewFailed } from '../../ui';
import { useConnected } from '../core/connected';
import { t } from '../text/text';
import { NotConnected } from './NotConnected';

export interface ErrorBoundaryProps {
  children: ReactNode;
  /** Around a part of the frame that has no room for more than a sign. */
  small?: boolean;
}

interface State {
  readonly failed: boolean;
  readonly tried: boolean;
}

/** Keeps the failure of one part from taking the others with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: false, tried: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { children, small = false } = this.props;
    const { failed, tried } = this.state;
    if (!failed) return children;
    const again = () => {
      renewFailed();
      this.setState({ failed: false, tried: true });
    };
    return <Failed again={again} tried={tried} small={small} />;
  }
}

interface FailedProps {
  again(): void;
  /** Drawing it once more was of no use. */
  tried: boolean;
  small: boolean;
}

/** Without the core its file may just not have been there. */
function Failed({ again, tried, small }: FailedProps) {
  const connected = useConnected();
  const wasConnected = useRef(connected);
  useEffect(() => {
    if (connected && !wasConnected.current) again();
    wasConnected.current = connected;
  }, [connected, again]);
  const label = t(tried ? 'connection.reload' : 'ui.retry');
  const act = tried ? () => window.location.reload() : again;
  if (small) {
    const words = connected ? `${t('failure.part')} ${label}` : t('note.notConnected');
    return <IconButton size="s" icon={RotateCw} label={words} disabled={!connected} onClick={act} />;
  }
  if (!connected) return <NotConnected />;
  return (
    <EmptyState
      icon={CircleAlert}
      title={t('failure.view')}
      text={t(tried ? 'failure.viewAgain' : 'failure.viewText')}
    >
      <Button onClick={act}>{label}</Button>
    </EmptyState>
  );
}
