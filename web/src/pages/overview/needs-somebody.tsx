import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HostStatus } from '#vocabulary';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { operationTitle } from '../../operations/operation.ts';
import { useRunning } from '../../operations/use-operations.ts';
import { useMay } from '../../session/session.tsx';
import { Panel } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { numberText } from '../../ui/words/counted.ts';
import { reasonBeside } from '../../ui/words/status-words.ts';
import styles from './overview.module.css';
import { troubled } from './troubled.ts';

const MOST = 10;
/** Among those that do not answer may be many that an operation has reboot. */
const MOST_READ = 200;

/** The first hosts of a status that somebody should look at; they change with the rest of the overview. `undefined`: not read yet. */
function useTroubled(status: HostStatus, total: number) {
  const { data } = useQuery({
    queryKey: keys.overviewHosts(status),
    queryFn: async () =>
      troubled(await answerOf(api.listHosts({ query: { status, extended: true, limit: MOST_READ } }))),
    enabled: total > 0,
  });
  return total === 0 ? [] : data;
}

function useParkedWebhooks() {
  const { may } = useMay();
  return useQuery({
    queryKey: [...keys.webhooks, 'disabled'],
    queryFn: async () => {
      const names = await answerOf(api.listWebhooks());
      const all = await Promise.all(names.map(name => answerOf(api.getWebhook({ name }))));
      return all.filter(({ state }) => state === 'disabled');
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

interface TroubledHostsProps {
  readonly status: HostStatus;
  readonly hosts: NonNullable<ReturnType<typeof useTroubled>>;
  /** How many are in the status, troubled or not. */
  readonly total: number;
}

const TroubledHosts = ({ status, hosts, total }: TroubledHostsProps) => (
  <>
    {hosts.slice(0, MOST).map(({ address, hostname, reason }) => (
      <Item key={address} sign={<Status of={status} />}>
        <Link to="/hosts/$address" params={{ address }} className="mono">
          {address}
        </Link>{' '}
        {hostname} <span className={styles.reason}>{reasonBeside(status, reason ?? '')}</span>
      </Item>
    ))}
    {(hosts.length > MOST || total > MOST_READ) && (
      <li className={styles.need}>
        <Link to="/hosts" search={{ status }}>
          View all {numberText(total)} {status} hosts
        </Link>
      </li>
    )}
  </>
);

interface NeedsSomebodyProps {
  readonly failed: number;
  readonly unreachable: number;
}

/** What nobody but a person can mend. */
export function NeedsSomebody({ failed, unreachable }: NeedsSomebodyProps) {
  const { data: running = [] } = useRunning();
  const failedHosts = useTroubled('failed', failed);
  const lostHosts = useTroubled('unreachable', unreachable);
  const { data: parked = [] } = useParkedWebhooks();
  // A window opens by itself.
  const paused = running.filter(({ state, paused_by }) => state === 'paused' && paused_by !== 'window');
  const isNothing =
    failed + paused.length + parked.length === 0 && lostHosts?.length === 0 && unreachable <= MOST_READ;
  return (
    <Panel title="Needs attention" isFlush>
      {isNothing && <p className={styles.quiet}>Nothing needs attention.</p>}
      <ul className={styles.needs}>
        {paused.map(operation => (
          <Item key={operation.id} sign={<Status of="paused" />}>
            <Link to="/operations/$id" params={{ id: operation.id }}>
              {operationTitle(operation)}
            </Link>{' '}
            <span className={styles.reason}>{operation.problem}</span>
          </Item>
        ))}
        {failedHosts && <TroubledHosts status="failed" hosts={failedHosts} total={failed} />}
        {lostHosts && <TroubledHosts status="unreachable" hosts={lostHosts} total={unreachable} />}
        {parked.map(({ name, problem }) => (
          <Item key={name} sign={<Status of="disabled" />}>
            Webhook <Link to="/webhooks">{name}</Link> <span className={styles.reason}>{problem}</span>
          </Item>
        ))}
      </ul>
    </Panel>
  );
}
