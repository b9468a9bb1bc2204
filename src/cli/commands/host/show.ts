import type { Static } from 'typebox';
import type { HostStatusReport } from '../../../contract/routes/host-management.ts';
import type { Host, HostEntry } from '../../../contract/routes/hosts.ts';
import { formatCount } from '../../../lib/text.ts';
import { formatDuration, formatSize, formatUptime, utcTime } from '../../../sdk/format.ts';
import { formatAgo, getStatusStyle } from '../../output/format.ts';
import type { Field } from '../../output/printer.ts';
import type { Column } from '../../output/table.ts';
import { resolveHost } from '../../resolve-hosts.ts';
import type { Session } from '../../session.ts';
import type { HostFilter } from './arguments.ts';
import { formatLabels, hostQuery } from './arguments.ts';

export type StatusReport = Static<typeof HostStatusReport>;
type HostReport = StatusReport['host'];
type HostRecord = Static<typeof Host>;

export const formatTask = ({ kind, step, attempts, problem }: HostReport['tasks'][number]): string =>
  [
    step === undefined ? kind : `${kind}, step ${step}`,
    attempts > 0 ? `, ${formatCount(attempts, 'attempt')}` : '',
    problem === undefined ? '' : `: ${problem}`,
  ].join('');

function toStatusFields(address: string, { host }: StatusReport): readonly Field[] {
  const { status, reason = '', hostname = '', cluster = '', labels, maintenance, tasks, pending_host_key } = host;
  return [
    ['hostname', hostname],
    ['address', address],
    ['status', status, getStatusStyle(status)],
    ['reason', reason, getStatusStyle(status)],
    ['pending host key', pending_host_key ? `${pending_host_key.type} ${pending_host_key.fingerprint}` : '', 'error'],
    ['accept with', pending_host_key ? `hostler host accept-key ${address} ${pending_host_key.fingerprint}` : ''],
    ['cluster', cluster],
    ['labels', formatLabels(labels)],
    ['maintenance', maintenance.on ? maintenance.reason || 'on' : '', 'warning'],
    ...tasks.map((task): Field => ['pending task', formatTask(task)]),
  ];
}

const getRetryHint = (address: string, { host }: StatusReport): string =>
  host.status === 'failed' && host.pending_host_key === undefined
    ? `After you fix this: hostler host retry ${address}\n`
    : '';

function formatSource(source: HostReport['source']): string {
  if (source === undefined) return '';
  const { name, age_s, known, problem } = source;
  const age = age_s === undefined ? '' : `, updated ${formatDuration(age_s * 1000)} ago`;
  return `${name}${age}${known ? '' : ', host unknown'}${problem === undefined ? '' : `: ${problem}`}`;
}

const formatYesNo = (value: boolean | undefined) => (value === undefined ? '' : value ? 'yes' : 'no');

function formatLastBoot(host: HostReport, nowMs: number): string {
  const uptime = formatUptime(host, nowMs);
  return `${utcTime(host.booted_at ?? '')}${uptime === '' ? '' : ` (${uptime})`}`;
}

function toSystemFields(
  { os, cpus, memory, space, last_check }: HostRecord,
  host: HostReport,
  nowMs: number,
): readonly Field[] {
  return [
    ['os', os],
    ['os version', host.os_version ?? ''],
    ['kernel', host.kernel ?? ''],
    ['architecture', host.architecture ?? ''],
    ['cpus', cpus === 0 ? '' : String(cpus)],
    ['memory', formatSize(memory)],
    ['disk', formatSize(space)],
    ['last boot', formatLastBoot(host, nowMs)],
    ['boots seen', host.boots === 0 ? '' : String(host.boots)],
    ['last contact', utcTime(host.responded_at ?? '')],
    ['last check', utcTime(last_check)],
  ];
}

function toDetailFields({ type, host, container_manager: node }: StatusReport): readonly Field[] {
  return [
    ['boot id', host.boot_id ?? ''],
    ['transport', host.transport ?? ''],
    ['source', formatSource(host.source)],
    ...Object.entries(host.source?.conditions ?? {}).map(([name, text]): Field => ['condition', `${name} ${text}`]),
    ['container manager', type === 'host_only' ? 'none' : type],
    ['node', node.name ?? ''],
    ['node ready', formatYesNo(node.ready), node.ready === false ? 'error' : undefined],
    ['schedulable', formatYesNo(node.schedulable)],
    ['node problem', node.reason ?? '', 'error'],
  ];
}

export async function show({ client, printer, terminal }: Session, _options: object, name: string) {
  const { address } = await resolveHost(client, name);
  const { body: record } = await client.getHost({ address });
  const { body: report } = await client.getHostStatus({ address });
  const { hostname = '', cluster = '', reason = '', labels, maintenance, tasks, pending_host_key } = report.host;
  const { os_version, kernel, architecture, booted_at, boots, responded_at } = report.host;
  // The fields of `host list`, and the others that people see.
  const value = {
    ...{ ...record, hostname, cluster, labels, maintenance: maintenance.on, reason },
    ...{ maintenance_reason: maintenance.reason, pending_host_key, tasks },
    ...{ os_version, kernel, architecture, booted_at, boots, responded_at },
  };
  const fields: readonly Field[] = [
    ...toStatusFields(address, report),
    ...toSystemFields(record, report.host, terminal.clock.now()),
    ['source', record.source],
  ];
  await printer.printRecord(value, address, fields, getRetryHint(address, report));
}

export async function status({ client, printer, terminal }: Session, _options: object, name: string) {
  const { address } = await resolveHost(client, name);
  const { body: record } = await client.getHost({ address });
  const { body: value } = await client.getHostStatus({ address });
  const fields = [
    ...toStatusFields(address, value),
    ...toSystemFields(record, value.host, terminal.clock.now()),
    ...toDetailFields(value),
  ];
  await printer.printRecord(value, address, fields, getRetryHint(address, value));
}

const formatStatus = ({ status, maintenance }: Static<typeof HostEntry>) =>
  maintenance ? `${status}, maintenance` : status;

export const hostColumns = (nowMs: number): readonly Column<Static<typeof HostEntry>>[] => [
  { header: 'HOSTNAME', value: ({ hostname }) => hostname || '-', sortKey: ({ hostname = '' }) => hostname },
  { header: 'ADDRESS', value: ({ address }) => address },
  { header: 'CLUSTER', value: ({ cluster = '' }) => cluster },
  { header: 'STATUS', value: formatStatus, style: ({ status }) => getStatusStyle(status) },
  { header: 'REASON', value: ({ reason = '' }) => reason, isTruncatable: true },
  { header: 'OS', value: ({ os }) => os },
  { header: 'CPUS', value: ({ cpus }) => (cpus === 0 ? '' : String(cpus)), isRightAligned: true, isWideOnly: true },
  {
    header: 'MEMORY',
    value: ({ memory }) => formatSize(memory),
    sortKey: ({ memory }) => memory,
    isRightAligned: true,
    isWideOnly: true,
  },
  {
    header: 'DISK',
    value: ({ space }) => formatSize(space),
    sortKey: ({ space }) => space,
    isRightAligned: true,
    isWideOnly: true,
  },
  {
    header: 'LAST CHECK',
    value: ({ last_check }) => formatAgo(last_check, nowMs),
    sortKey: ({ last_check }) => last_check,
    isWideOnly: true,
  },
  { header: 'LABELS', value: ({ labels = {} }) => formatLabels(labels), isTruncatable: true },
];

export interface ListOptions extends HostFilter {
  readonly hostname?: string;
  readonly search?: string;
}

export async function list({ client, printer, terminal }: Session, { hostname, search: q, ...filter }: ListOptions) {
  const query = { ...hostQuery(filter), hostname, q };
  const { body: rows } = await client.listHosts({ query: { ...query, extended: true } });
  await printer.printList({
    rows,
    columns: hostColumns(terminal.clock.now()),
    getName: ({ address }) => address,
    emptyMessage: Object.values(query).some(value => value !== undefined)
      ? 'No hosts match these filters.'
      : 'No hosts found. Enrol one with: hostler host add ADDRESS --key FILE',
  });
}
