import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HostStatus } from '#vocabulary';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useMay } from '../../session/session.tsx';
import { Panel } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { operationTitle } from '../clusters/operation-parts.ts';
import { useRunning } from '../clusters/use-operations.ts';
import styles from './overview.module.css';

const MOST = 10;

/** The first hosts of a status; they change with the rest of the overview. */
const useHosts = (status: HostStatus) =>
  useQuery({
    queryKey: keys.overviewHosts(status),
    queryFn: () => answerOf(api.listHosts({ query: { status, extended: true, limit: MOST } })),
  });

function useParkedWebhooks() {
  const { may } = useMay();
  return useQuery({
    queryKey: [...keys.webhooks, 'parked'],
    queryFn: async () => {
      const names = await answerOf(api.listWebhooks());
      const all = await Promise.all(names.map(name => answerOf(api.getWebhook({ name }))));
      return all.filter(({ state }) => state === 'parked');
    },
    enabled: may('listWebhooks'),
  });
}

const Item = ({ sign, children }: { readonly sign: ReactNode; readonly children: ReactNode }) => (
  <li className={styles.need}>
    {sign}
    <span>{children}</span>
  </li>
);

function TroubledHosts({ status, total }: { readonly status: HostStatus; readonly total: number }) {
  const { data = [] } = useHosts(status);
  return (
    <>
      {data.map(({ address, hostname, reason }) => (
        <Item key={address} sign={<Status of={status} />}>
          <Link to="/hosts/$address" params={{ address }} className="mono">
            {address}
          </Link>{' '}
          {hostname} <span className={styles.reason}>{reason}</span>
        </Item>
      ))}
      {total > data.length && (
        <li className={styles.need}>
          <Link to="/hosts" search={{ status }}>
            All {total} that are {status}
          </Link>
        </li>
      )}
    </>
  );
}

interface NeedsSomebodyProps {
  readonly failed: number;
  readonly unreachable: number;
}

/** What nobody but a person can mend. */
export function NeedsSomebody({ failed, unreachable }: NeedsSomebodyProps) {
  const { data: running = [] } = useRunning();
  const { data: parked = [] } = useParkedWebhooks();
  // A window opens by itself.
  const paused = running.filter(({ state, paused_by }) => state === 'paused' && paused_by !== 'window');
  const isNothing = failed + unreachable + paused.length + parked.length === 0;
  return (
    <Panel title="Needs somebody" isFlush>
      {isNothing && <p className={styles.quiet}>Nothing does.</p>}
      <ul className={styles.needs}>
        {paused.map(operation => (
          <Item key={operation.id} sign={<Status of="paused" />}>
            <Link to="/operations/$id" params={{ id: operation.id }}>
              {operationTitle(operation)} of {operation.cluster}
            </Link>{' '}
            <span className={styles.reason}>{operation.problem}</span>
          </Item>
        ))}
        {failed > 0 && <TroubledHosts status="failed" total={failed} />}
        {unreachable > 0 && <TroubledHosts status="unreachable" total={unreachable} />}
        {parked.map(({ name, problem }) => (
          <Item key={name} sign={<Status of="parked" />}>
            Webhook <Link to="/webhooks">{name}</Link> <span className={styles.reason}>{problem}</span>
          </Item>
        ))}
      </ul>
    </Panel>
  );
}
