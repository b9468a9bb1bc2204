import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { HostProgress } from '#client/host-progress.ts';
import { readHostProgress } from '#client/host-progress.ts';
import type { OperationVerb } from '#vocabulary';
import { Button } from '../../ui/button.tsx';
import { Loading, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Status, wordsOf } from '../../ui/status.tsx';
import styles from './host-aside.module.css';
import { PhaseTimeline } from './phase-timeline.tsx';
import { SteerButton } from './steer-button.tsx';
import { StepOutput } from './step-output.tsx';
import { useOperationHost } from './use-operation-host.ts';

interface HostAsideProps {
  readonly id: string;
  readonly address: string;
  /** As events tell it; `undefined`: it is not known yet. */
  readonly host: HostProgress | undefined;
  readonly can: readonly OperationVerb[];
  readonly aheadMs: number;
  readonly onClose: () => void;
}

const verbsFor = (state: HostProgress['state'], can: readonly OperationVerb[]) => [
  ...(state === 'failed' && can.includes('retry') ? (['retry'] as const) : []),
  ...(state !== 'done' && state !== 'skipped' && can.includes('skip') ? (['skip'] as const) : []),
];

/** One host of an operation: how long each phase took, what is wrong, and what its steps say. */
export function HostAside({ id, address, host, can, aheadMs, onClose }: HostAsideProps) {
  const { data: read, error } = useOperationHost(id, address);
  const top = useRef<HTMLElement>(null);
  // Where the panels stand below each other it would open out of sight.
  useEffect(() => {
    // In newer browsers it answers a promise, which is nothing to be called afterwards.
    top.current?.scrollIntoView({ block: 'nearest' });
  }, [address]);
  const known = host ?? (read && readHostProgress(read));
  return (
    <aside ref={top} className={styles.aside} aria-label={`Host ${address}`}>
      <Panel
        title={address}
        actions={
          <Button size="small" kind="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </Button>
        }
      >
        <div className={styles.body}>
          <ProblemBox problem={error} />
          {known === undefined ? (
            error === null && <Loading what={address} />
          ) : (
            <p className={styles.state}>
              <Status of={known.state} />
              <span>
                attempt {known.attempt}, place {known.position + 1}
                {read?.control_plane && ', control plane'}
              </span>
              <Link to="/hosts/$address" params={{ address }}>
                Host
              </Link>
            </p>
          )}
          {read?.error != null && <p className={styles.error}>{read.error}</p>}
          {read !== undefined && read.detail !== '' && <p className={styles.detail}>{read.detail}</p>}
          {read?.already_there && <p className={styles.detail}>There was nothing to do.</p>}
          {read?.skip_reason != null && (
            <p className={styles.detail}>Skipped: {wordsOf(read.skip_reason)}.</p>
          )}
          {read?.cordoned && <p className={styles.detail}>Its node is cordoned by this operation.</p>}
          {known !== undefined && verbsFor(known.state, can).length > 0 && (
            <div className={styles.verbs}>
              {verbsFor(known.state, can).map(verb => (
                <SteerButton key={verb} id={id} verb={verb} host={address} size="small" />
              ))}
            </div>
          )}
          {known !== undefined && (
            <>
              <h3>Phases</h3>
              <PhaseTimeline phases={known.phases} aheadMs={aheadMs} />
            </>
          )}
          {read !== undefined && (
            <>
              <h3>Output</h3>
              {read.output.length === 0 && <p className={styles.detail}>Nothing was run on it yet.</p>}
              {read.output.toReversed().map(said => (
                <StepOutput key={`${said.attempt} ${said.step}`} said={said} />
              ))}
            </>
          )}
        </div>
      </Panel>
    </aside>
  );
}
