import { useCluster } from '../../clusters/use-cluster.ts';
import { OutageActions, OutageList } from '../../operations/outage-list.tsx';
import { stoppedWords } from './standing-words.ts';
import { SteerButton } from './steer-button.tsx';
import type { OperationWhole } from './use-operation.ts';

interface BlockedCalloutProps {
  readonly whole: OperationWhole;
  readonly hasFailed: boolean;
}

/** The hosts that have stopped an operation, and how to continue. */
export function BlockedCallout({ whole, hasFailed }: BlockedCalloutProps) {
  const { id, can, cluster, unavailable_hosts: hosts } = whole;
  const { data } = useCluster(cluster);
  return (
    <>
      <p>{stoppedWords(whole, data?.cluster.hosts.total)}</p>
      <OutageList hosts={hosts} />
      {can.includes('retry') && (
        <OutageActions>
          <SteerButton
            id={id}
            verb="retry"
            kind="primary"
            size="small"
            exclude={hosts.map(({ address }) => address)}
          />
          <SteerButton id={id} verb="retry" size="small" hasFailed={hasFailed} />
        </OutageActions>
      )}
    </>
  );
}
