import { Link } from '@tanstack/react-router';
import type { Ref, RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Static } from 'typebox';
import type { OperationHostView } from '#contract/routes/operations.ts';
import type { HostProgress } from '#sdk/host-progress.ts';
import { displayName, isEnded, isNotStarted, toHostProgress } from '#sdk/host-progress.ts';
import type { OperationAction } from '#vocabulary';
import { formatSkipReason } from '../../../operations/operation-summary.ts';
import { useOperationHost } from '../../../operations/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/callout.tsx';
import { CopyButton } from '../../../ui/code-block.tsx';
import { toLabel, toText } from '../../../ui/format/text.ts';
import { Loading, Panel } from '../../../ui/page.tsx';
import { Timestamp } from '../../../ui/timestamp.tsx';
import { ActionButton } from '../action-buttons.tsx';
import { getHostActions } from '../operation-actions.ts';
import styles from './host-drawer.module.css';
import { HostStateBadge } from './legend.tsx';
import { clearWait } from './phase-groups.ts';
import { PhaseTimeline } from './phase-timeline.tsx';

const END_TOLERANCE_PX = 24;

/** Keeps the end of growing content in view unless the user has scrolled up. */
function useAutoScroll<E extends HTMLElement>(content: string): RefObject<E | null> {
  const element = useRef<E>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = element;
    const onScroll = () => {
      if (current !== null)
        isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight <= END_TOLERANCE_PX;
    };
    current?.addEventListener('scroll', onScroll, { passive: true });
    return () => current?.removeEventListener('scroll', onScroll);
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current && element.current !== null) element.current.scrollTop = element.current.scrollHeight;
  }, [content]);
  return element;
}

type StepOutputRecord = Static<typeof OperationHostView>['output'][number];

/** Output is rendered as text, never as markup. */
function StepOutput({ record }: { readonly record: StepOutputRecord }) {
  const { step, attempt, at, output } = record;
  const scrollRef = useAutoScroll<HTMLPreElement>(output);
  return (
    <section className={styles.step} aria-label={`Output of ${toText(step)}, attempt ${attempt}`}>
      <header>
        <h4>{toLabel(step)}</h4>
        <span className={styles.when}>
          {attempt > 1 && `attempt ${attempt}, `}
          <Timestamp at={at} format="time" />
        </span>
        <CopyButton text={output} subject={`the output of ${toText(step)}`} />
      </header>
      {output === '' ? (
        <p className={styles.none}>No output.</p>
      ) : (
        <pre ref={scrollRef} tabIndex={0}>
          {output}
        </pre>
      )}
    </section>
  );
}

interface HostDrawerProps {
  readonly ref: Ref<HTMLElement>;
  readonly id: string;
  readonly address: string;
  /** Updated by events. Undefined until the hosts are loaded. */
  readonly host: HostProgress | undefined;
  readonly can: readonly OperationAction[];
  readonly hasEnded: boolean;
  readonly clockOffsetMs: number;
  readonly onClose: () => void;
}

export function HostDrawer(props: HostDrawerProps) {
  const { ref, id, address, host, can, hasEnded, clockOffsetMs, onClose } = props;
  const { data: details, error } = useOperationHost(id, address);
  const progress = host ?? (details && clearWait(toHostProgress(details), hasEnded));
  const hasNotStarted = progress !== undefined && isNotStarted(progress, hasEnded);
  const name = progress === undefined ? address : displayName(progress);
  return (
    // Escape closes the drawer from every button inside it.
    <aside
      ref={ref}
      className={styles.drawer}
      aria-label={`Host ${name}`}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      <Panel
        title={name}
        actions={
          <Button size="small" variant="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </Button>
        }
      >
        <div className={styles.body}>
          <ErrorBox error={error} />
          {progress === undefined ? (
            error === null && <Loading label={address} />
          ) : (
            <p className={styles.state}>
              <HostStateBadge host={progress} hasEnded={hasEnded} />
              <span>
                {progress.hostname !== '' && <span className="mono">{address}, </span>}attempt {progress.attempt},
                position {progress.position + 1}
                {details?.control_plane && ', control plane'}
              </span>
              <Link to="/hosts/$address" params={{ address }}>
                View host
              </Link>
            </p>
          )}
          {details?.error != null && <p className={styles.error}>{details.error}</p>}
          {details !== undefined && details.detail !== '' && !hasNotStarted && (
            <p className={styles.detail}>{details.detail}</p>
          )}
          {details?.already_there && <p className={styles.detail}>No changes were needed.</p>}
          {details?.skip_reason != null && <p className={styles.detail}>{formatSkipReason(details.skip_reason)}</p>}
          {details?.cordoned && <p className={styles.detail}>This operation has cordoned the node.</p>}
          {progress !== undefined && getHostActions(progress.state, can).length > 0 && (
            <div className={styles.actions}>
              {getHostActions(progress.state, can).map(action => (
                <ActionButton key={action} id={id} action={action} host={address} size="small" />
              ))}
            </div>
          )}
          {progress !== undefined && (
            <>
              <h3>Phases</h3>
              <PhaseTimeline
                phases={progress.phases}
                emptyText={hasNotStarted ? 'Not started.' : 'Not started yet.'}
                clockOffsetMs={clockOffsetMs}
              />
            </>
          )}
          {details !== undefined && (
            <>
              <h3>Output</h3>
              {details.output.length === 0 && (
                <p className={styles.detail}>{hasEnded || isEnded(details.state) ? 'No output.' : 'No output yet.'}</p>
              )}
              {details.output.toReversed().map(stepOutput => (
                <StepOutput key={`${stepOutput.attempt} ${stepOutput.step}`} record={stepOutput} />
              ))}
            </>
          )}
        </div>
      </Panel>
    </aside>
  );
}
