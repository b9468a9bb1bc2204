import { Link } from '@tanstack/react-router';
import type { Ref } from 'react';
import type { HostProgress } from '#client/host-progress.ts';
import { isEnded, readHostProgress } from '#client/host-progress.ts';
import type { OperationAction } from '#vocabulary';
import { skippedWords } from '../../../operations/operation.ts';
import { useOperationHost } from '../../../operations/use-operation-host.ts';
import { Button } from '../../../ui/button.tsx';
import { Loading, Panel } from '../../../ui/page.tsx';
import { ProblemBox } from '../../../ui/problem-box.tsx';
import { Status } from '../../../ui/status.tsx';
import { SteerButton } from '../steer-button.tsx';
import styles from './host-aside.module.css';
import { hostVerbs } from './host-verbs.ts';
import { PhaseTimeline } from './phase-timeline.tsx';
import { StepOutput } from './step-output.tsx';

interface HostAsideProps {
  readonly ref: Ref<HTMLElement>;
  readonly id: string;
  readonly address: string;
  /** As events tell it; `undefined`: it is not known yet. */
  readonly host: HostProgress | undefined;
  readonly can: readonly OperationAction[];
  readonly aheadMs: number;
  readonly onClose: () => void;
}

/** One host of an operation: how long each phase took, what is wrong, and what its steps say. */
export function HostAside({ ref, id, address, host, can, aheadMs, onClose }: HostAsideProps) {
  const { data: read, error } = useOperationHost(id, address);
  const known = host ?? (read && readHostProgress(read));
  return (
    // Keys are for the buttons in it; Escape goes for all of them.
    <aside
      ref={ref}
      className={styles.aside}
      aria-label={`Host ${address}`}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
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
                Attempt {known.attempt}, position {known.position + 1}
                {read?.control_plane && ', control plane'}
              </span>
              <Link to="/hosts/$address" params={{ address }}>
                View host
              </Link>
            </p>
          )}
          {read?.error != null && <p className={styles.error}>{read.error}</p>}
          {read !== undefined && read.detail !== '' && <p className={styles.detail}>{read.detail}</p>}
          {read?.already_there && <p className={styles.detail}>No changes were needed.</p>}
          {read?.skip_reason != null && <p className={styles.detail}>{skippedWords(read.skip_reason)}</p>}
          {read?.cordoned && <p className={styles.detail}>This operation has cordoned the node.</p>}
          {known !== undefined && hostVerbs(known.state, can).length > 0 && (
            <div className={styles.verbs}>
              {hostVerbs(known.state, can).map(verb => (
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
              {read.output.length === 0 && (
                <p className={styles.detail}>{isEnded(read.state) ? 'No output.' : 'No output yet.'}</p>
              )}
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
