import { useQuery } from '@tanstack/react-query';
import { formatSize, formatUptime } from '#sdk/format.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Button } from '../../ui/button.tsx';
import { CheckChart } from '../../ui/charts/check-chart.tsx';
import { clockTime } from '../../ui/format/dates.ts';
import { formatCount, toLabel, toText } from '../../ui/format/text.ts';
import { DescriptionList, Panel, QueryView } from '../../ui/page.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Timestamp, useServerNowMs } from '../../ui/timestamp.tsx';
import styles from './host.module.css';
import type { HostRecord, HostStatusInfo, StatusReport } from './queries.ts';
import { useHostAccess, useHostChecks } from './queries.ts';

/**
 * Fingerprint of a public key in the format of `ssh-keygen -l`. Undefined if the browser has no SubtleCrypto, for
 * example over plain HTTP.
 */
async function computeFingerprint(line: string): Promise<string | undefined> {
  const base64 = line.split(' ')[1] ?? '';
  if (globalThis.crypto?.subtle === undefined) return undefined;
  const blob = Uint8Array.from(atob(base64), char => char.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', blob));
  return `SHA256:${btoa(String.fromCharCode(...digest)).replace(/=+$/, '')}`;
}

/** Shows the fingerprint, or the key if the browser cannot compute one. */
function HostKey({ line }: { readonly line: string }) {
  const fingerprint = useQuery({
    queryKey: queryKeys.fingerprint(line),
    queryFn: async () => (await computeFingerprint(line)) ?? '',
  });
  const [type = '', base64 = ''] = line.split(' ');
  return (
    <li>
      <p>{type}</p>
      <p className={styles.key} title={base64}>
        {fingerprint.data || base64}
      </p>
    </li>
  );
}

export function AccessPanel({ address, status }: { readonly address: string; readonly status: HostStatusInfo }) {
  const query = useHostAccess(address);
  return (
    <Panel title="Access">
      <QueryView query={query} label="access">
        {access => (
          <DescriptionList
            items={[
              ['SSH user', access.remote_user],
              ['Port', access.ssh_port],
              ['Transport', status.transport ?? 'Default transport'],
              [
                'Host keys',
                access.host_keys.length === 0 ? (
                  'None yet'
                ) : (
                  <ul className={styles.list}>
                    {access.host_keys.map(line => (
                      <HostKey key={line} line={line} />
                    ))}
                  </ul>
                ),
              ],
            ]}
          />
        )}
      </QueryView>
    </Panel>
  );
}

/** With the uptime, as in `hostler host describe`. */
function LastBoot({ status }: { readonly status: HostStatusInfo }) {
  const uptime = formatUptime(status, useServerNowMs());
  return (
    <>
      <Timestamp at={status.booted_at ?? ''} />
      {uptime !== '' && ` (${uptime})`}
    </>
  );
}

const orDash = (text: string | number) => (text === '' || text === 0 ? '–' : text);

export const FactsPanel = ({ host, status }: { readonly host: HostRecord; readonly status: HostStatusInfo }) => (
  <Panel title="Facts">
    <DescriptionList
      items={[
        ['Hostname', orDash(status.hostname ?? '')],
        ['OS', orDash(status.os_version ?? host.os)],
        ['Kernel', orDash(status.kernel ?? '')],
        ['Architecture', orDash(status.architecture ?? '')],
        ['Last boot', <LastBoot key="booted" status={status} />],
        ['Boots seen', orDash(status.boots)],
        ['CPUs', orDash(host.cpus)],
        ['Memory', orDash(formatSize(host.memory))],
        ['Disk', orDash(formatSize(host.space))],
        [
          'Last contact',
          <Timestamp key="contact" at={status.responded_at ?? ''} format="relative" emptyText="Never" />,
        ],
        ['Last health check', <Timestamp key="check" at={host.last_check} format="relative" emptyText="Never" />],
        [
          'Boot ID',
          <code key="boot" className={styles.key}>
            {status.boot_id ?? '–'}
          </code>,
        ],
        ['Facts read from', host.source === '' ? 'The host' : host.source],
      ]}
    />
  </Panel>
);

export const SourcePanel = ({ source }: { readonly source: NonNullable<HostStatusInfo['source']> }) => (
  <Panel title="Host source">
    <DescriptionList
      items={[
        ['Name', source.name],
        [
          'Last updated',
          <Timestamp key="refreshed" at={source.refreshed_at ?? ''} format="relative" emptyText="Never" />,
        ],
        ['Knows this host', source.known ? 'Yes' : 'No (facts come from the host)'],
        ...Object.entries(source.conditions ?? {}).map(([name, text]) => [name, text] as const),
      ]}
    />
    {source.problem !== undefined && <p className={styles.error}>{source.problem}</p>}
  </Panel>
);

/** Health checks emit no event while the status stays the same, so the list has a refresh button. */
export function ChecksPanel({ address }: { readonly address: string }) {
  const query = useHostChecks(address);
  const { data, dataUpdatedAt, isFetching, refetch } = query;
  return (
    <Panel
      title="Health checks"
      actions={
        <>
          {data && <span className="muted">Updated {clockTime(dataUpdatedAt)}</span>}
          <Button size="small" isLoading={isFetching} onClick={() => refetch()}>
            Refresh
          </Button>
        </>
      }
    >
      <QueryView query={query} label="health checks">
        {checks =>
          checks.length === 0 ? (
            <p className="muted">No health checks yet.</p>
          ) : (
            <CheckChart checks={checks} label={`Health checks of ${address}`} />
          )
        }
      </QueryView>
    </Panel>
  );
}

export const TasksPanel = ({ tasks }: { readonly tasks: HostStatusInfo['tasks'] }) => (
  <Panel title="Pending tasks">
    {tasks.length === 0 && <p className="muted">No pending tasks.</p>}
    <ol className={styles.list}>
      {tasks.map(({ kind, step, attempts, problem }) => (
        <li key={kind} className={styles.list}>
          <p>
            <strong>{toLabel(kind)}</strong>
            {step !== undefined && `: step ${toText(step)}`}
            {attempts > 0 && `, ${formatCount(attempts, 'failed attempt')}`}
          </p>
          {problem !== undefined && <p className={styles.error}>{problem}</p>}
        </li>
      ))}
    </ol>
  </Panel>
);

const renderFlag = (value: boolean | undefined) =>
  value === undefined ? '–' : <Badge severity={value ? 'good' : 'bad'}>{value ? 'Yes' : 'No'}</Badge>;

export const ContainerManagerPanel = ({
  report: { type, container_manager: node },
}: {
  readonly report: StatusReport;
}) => (
  <Panel title="Container manager">
    <DescriptionList
      items={[
        ['Type', type],
        ['Node', node.name ?? '–'],
        ['Ready', renderFlag(node.ready)],
        ['Schedulable', renderFlag(node.schedulable)],
        ['Last report', <Timestamp key="reported" at={node.reported_at ?? ''} format="relative" />],
      ]}
    />
    {node.reason !== undefined && <p className={styles.error}>{node.reason}</p>}
  </Panel>
);
