import type { Static } from 'typebox';
import type { HostStatusReport } from '../../../contract/routes/host-management.ts';
import type { HostEntry } from '../../../contract/routes/hosts.ts';
import { formatCount } from '../../../lib/text.ts';
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
    attempts > 0 ? `, ${formatCount(attempts, 'attempt')}` : '',
    problem === undefined ? '' : `: ${problem}`,
  ].join('');

function toStatusFields(address: string, { host }: StatusReport): readonly Field[] {
  const { status, reason = '', hostname = '', cluster = '', labels, maintenance, tasks, pending_host_key } = host;
  return [
    ['hostname', hostname],
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

function toDetailFields({ type, host, container_manager: node }: StatusReport): readonly Field[] {
  return [
    ['last check', utcTime(host.last_check)],
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

/** People get the record with the main fields of the status, programs get only the record. */
export async function show({ client, printer }: Session, _options: object, address: string) {
  const { body: value } = await client.getHost({ address });
  if (!printer.isHumanReadable) return printer.printStructured(value, [address]);
  const { body: report } = await client.getHostStatus({ address });
  const fields: readonly Field[] = [
    ['address', value.address],
    ...toStatusFields(address, report),
    ['os', value.os],
    ['cpus', value.cpus === 0 ? '' : String(value.cpus)],
    ['memory', formatSize(value.memory)],
    ['disk', formatSize(value.space)],
    ['source', value.source],
    ['last check', utcTime(value.last_check)],
  ];
  await printer.printRecord(value, address, fields, getRetryHint(address, report));
}

export async function status({ client, printer }: Session, _options: object, address: string) {
  const { body: value } = await client.getHostStatus({ address });
  const fields = [...toStatusFields(address, value), ...toDetailFields(value)];
  await printer.printRecord(value, address, fields, getRetryHint(address, value));
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
    emptyMessage: Object.values(query).some(value => value !== undefined)
      ? 'No hosts match these filters.'
      : 'No hosts found. Enrol one with: hostler host add ADDRESS --key FILE',
  });
}
