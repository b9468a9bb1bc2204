import type { Static } from 'typebox';
import type { HostStatusReport } from '../../../contract/routes/host-management.ts';
import type { HostEntry } from '../../../contract/routes/hosts.ts';
import { pluralize } from '../../../lib/text.ts';
import { formatDuration, formatSize, utcTime } from '../../../sdk/format.ts';
import { formatAgo, getStatusStyle } from '../../output/format.ts';
import type { Field } from '../../output/printer.ts';
import type { Column } from '../../output/table.ts';
import type { Session } from '../../session.ts';
import type { HostFilter } from './arguments.ts';
import { formatLabels, hostQuery } from './arguments.ts';

export type StatusReport = Static<typeof HostStatusReport>;
type HostReport = StatusReport['host'];

export const formatTask = ({ kind, step, attempts, problem }: HostReport['tasks'][number]): string =>
  [
    step === undefined ? kind : `${kind}, step ${step}`,
    attempts > 0 ? `, ${pluralize(attempts, 'attempt')}` : '',
    problem === undefined ? '' : `: ${problem}`,
  ].join('');

/** The status of a host and the commands that fix it. */
export function toStatusFields(address: string, { host }: StatusReport): readonly Field[] {
  const { status, reason = '', hostname = '', cluster = '', labels, maintenance, tasks, pending_host_key } = host;
  return [
    { label: 'hostname', text: hostname },
    { label: 'status', text: status, style: getStatusStyle(status) },
    { label: 'reason', text: reason, style: getStatusStyle(status) },
    {
      label: 'pending host key',
      text: pending_host_key === undefined ? '' : `${pending_host_key.type} ${pending_host_key.fingerprint}`,
      style: 'error',
    },
    {
      label: 'accept with',
      text: pending_host_key === undefined ? '' : `hostler host accept-key ${address} ${pending_host_key.fingerprint}`,
    },
    { label: 'cluster', text: cluster },
    { label: 'labels', text: formatLabels(labels) },
    {
      label: 'maintenance',
      text: maintenance.on ? maintenance.reason || 'on' : '',
      style: 'warning',
    },
    ...tasks.map(task => ({ label: 'pending task', text: formatTask(task) })),
  ];
}

/** Printed below the fields of a failed host; empty for other hosts. */
export const getRetryHint = (address: string, { host }: StatusReport): string =>
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

export function toDetailFields({ type, host, container_manager: node }: StatusReport): readonly Field[] {
  return [
    { label: 'last check', text: utcTime(host.last_check) },
    { label: 'boot id', text: host.boot_id ?? '' },
    { label: 'transport', text: host.transport ?? '' },
    { label: 'source', text: formatSource(host.source) },
    ...Object.entries(host.source?.conditions ?? {}).map(([name, text]) => ({
      label: 'condition',
      text: `${name} ${text}`,
    })),
    { label: 'container manager', text: type === 'host_only' ? 'none' : type },
    { label: 'node', text: node.name ?? '' },
    { label: 'node ready', text: formatYesNo(node.ready), style: node.ready === false ? 'error' : undefined },
    { label: 'schedulable', text: formatYesNo(node.schedulable) },
    { label: 'node problem', text: node.reason ?? '', style: 'error' },
  ];
}

/** People get the record with the main fields of the status, programs get only the record. */
export async function show({ client, printer }: Session, _options: object, address: string) {
  const { body: value } = await client.getHost({ address });
  if (!printer.isHumanReadable) return printer.printRecord({ value, name: address, fields: [] });
  const { body: report } = await client.getHostStatus({ address });
  await printer.printRecord({
    value,
    name: address,
    fields: [
      { label: 'address', text: value.address },
      ...toStatusFields(address, report),
      { label: 'os', text: value.os },
      { label: 'cpus', text: value.cpus === 0 ? '' : String(value.cpus) },
      { label: 'memory', text: formatSize(value.memory) },
      { label: 'disk', text: formatSize(value.space) },
      { label: 'source', text: value.source },
      { label: 'last check', text: utcTime(value.last_check) },
    ],
    details: getRetryHint(address, report),
  });
}

export async function status({ client, printer }: Session, _options: object, address: string) {
  const { body: value } = await client.getHostStatus({ address });
  await printer.printRecord({
    value,
    name: address,
    fields: [...toStatusFields(address, value), ...toDetailFields(value)],
    details: getRetryHint(address, value),
  });
}

export const hostColumns = (nowMs: number): readonly Column<Static<typeof HostEntry>>[] => [
  { header: 'ADDRESS', value: ({ address }) => address },
  { header: 'STATUS', value: ({ status }) => status, style: ({ status }) => getStatusStyle(status) },
  { header: 'OS', value: ({ os }) => os },
  { header: 'CPUS', value: ({ cpus }) => (cpus === 0 ? '' : String(cpus)), isRightAligned: true },
  { header: 'MEMORY', value: ({ memory }) => formatSize(memory), isRightAligned: true },
  { header: 'DISK', value: ({ space }) => formatSize(space), isRightAligned: true, isWideOnly: true },
  { header: 'LAST CHECK', value: ({ last_check }) => formatAgo(last_check, nowMs) },
];

export async function list({ client, printer, terminal }: Session, filter: HostFilter) {
  const query = hostQuery(filter);
  const { body: rows } = await client.listHosts({ query });
  await printer.printList({
    rows,
    columns: hostColumns(terminal.clock.now()),
    getName: ({ address }) => address,
    emptyMessage:
      Object.keys(query).length > 0
        ? 'No hosts match these filters.'
        : 'No hosts found. Enrol one with: hostler host add ADDRESS --key FILE',
  });
}
