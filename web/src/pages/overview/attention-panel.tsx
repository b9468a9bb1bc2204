import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HostStatus } from '#vocabulary';
import { api, fetchBody } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { usePermissions } from '../../auth/session.tsx';
import { OperationLink } from '../../operations/operation-badge.tsx';
import { useRunningOperations } from '../../operations/queries.ts';
import { formatNumber, stripStatusPrefix } from '../../ui/format/text.ts';
import { HostLink } from '../../ui/links.tsx';
import { Panel } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { excludeRebooting } from './exclude-rebooting.ts';
import styles from './overview.module.css';

const MAX_LISTED = 10;
/** Many unreachable hosts can be rebooting as part of an operation. They are filtered out after the fetch. */
const MAX_FETCHED = 200;

/** Refetched with the overview. Undefined until loaded. */
function useProblemHosts(status: HostStatus, total: number) {
  const { data } = useQuery({
    queryKey: queryKeys.overviewHosts(status),
    queryFn: async () =>
      excludeRebooting(await fetchBody(api.listHosts({ query: { status, extended: true, limit: MAX_FETCHED } }))),
    enabled: total > 0,
  });
  return total === 0 ? [] : data;
}

function useDisabledWebhooks() {
  const { can } = usePermissions();
  return useQuery({
    queryKey: [...queryKeys.webhooks, 'disabled'],
    queryFn: async () => {
      const names = await fetchBody(api.listWebhooks());
      const all = await Promise.all(names.map(name => fetchBody(api.getWebhook({ name }))));
      return all.filter(({ state }) => state === 'disabled');
    },
    enabled: can('listWebhooks'),
  });
}

const Item = ({ badge, children }: { readonly badge: ReactNode; readonly children: ReactNode }) => (
  <li className={styles.item}>
    {badge}
    <span>{children}</span>
  </li>
);

interface ProblemHostsProps {
  readonly status: HostStatus;
  readonly hosts: NonNullable<ReturnType<typeof useProblemHosts>>;
  /** Number of hosts with this status, including rebooting hosts. */
  readonly total: number;
}

const ProblemHosts = ({ status, hosts, total }: ProblemHostsProps) => (
  <>
    {hosts.slice(0, MAX_LISTED).map(({ address, hostname, reason }) => (
      <Item key={address} badge={<StatusBadge status={status} />}>
        <HostLink address={address} hostname={hostname} />{' '}
        <span className={styles.reason}>{stripStatusPrefix(status, reason ?? '')}</span>
      </Item>
    ))}
    {(hosts.length > MAX_LISTED || total > MAX_FETCHED) && (
      <li className={styles.item}>
        <Link to="/hosts" search={{ status }}>
          View all {formatNumber(total)} {status} hosts
        </Link>
      </li>
    )}
  </>
);

export function AttentionPanel({ failed, unreachable }: { readonly failed: number; readonly unreachable: number }) {
  const { data: running = [] } = useRunningOperations();
  const failedHosts = useProblemHosts('failed', failed);
  const unreachableHosts = useProblemHosts('unreachable', unreachable);
  const { data: disabledWebhooks = [] } = useDisabledWebhooks();
  // A time window opens automatically.
  const paused = running.filter(({ state, paused_by }) => state === 'paused' && paused_by !== 'window');
  const isEmpty =
    failed + paused.length + disabledWebhooks.length === 0 &&
    unreachableHosts?.length === 0 &&
    unreachable <= MAX_FETCHED;
  return (
    <Panel title="Needs attention" isFlush>
      {isEmpty && <p className={styles.emptyText}>Nothing needs attention.</p>}
      <ul className={styles.list}>
        {paused.map(operation => (
          <Item key={operation.id} badge={<StatusBadge status="paused" />}>
            <OperationLink operation={operation} /> <span className={styles.reason}>{operation.problem}</span>
          </Item>
        ))}
        {failedHosts && <ProblemHosts status="failed" hosts={failedHosts} total={failed} />}
        {unreachableHosts && <ProblemHosts status="unreachable" hosts={unreachableHosts} total={unreachable} />}
        {disabledWebhooks.map(({ name, problem }) => (
          <Item key={name} badge={<StatusBadge status="disabled" />}>
            Webhook <Link to="/webhooks">{name}</Link> <span className={styles.reason}>{problem}</span>
          </Item>
        ))}
      </ul>
    </Panel>
  );
}
