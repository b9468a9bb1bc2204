import type { Static } from 'typebox';
import { duration, utcTime } from '../../../client/times.ts';
import type { HostStatusReport } from '../../../contract/routes/host-care.ts';
import { plural } from '../../../lib/text/plural.ts';
import type { Field } from '../../output/printer.ts';
import { statusStyle } from '../../output/status-style.ts';
import { labelsText } from './labels.ts';

export type StatusReport = Static<typeof HostStatusReport>;
type Own = StatusReport['host'];

/** One line for each thing that is still to be done. */
export const workText = ({ kind, step, attempts, problem }: Own['tasks'][number]): string =>
  [
    step === undefined ? kind : `${kind}, step ${step}`,
    attempts > 0 ? `, ${plural(attempts, 'attempt')}` : '',
    problem === undefined ? '' : `: ${problem}`,
  ].join('');

/** How a host is, and what a person can do about it. */
export function statusFields(address: string, { host }: StatusReport): readonly Field[] {
  const {
    status,
    reason = '',
    hostname = '',
    cluster = '',
    labels,
    maintenance,
    tasks,
    pending_host_key,
  } = host;
  return [
    { label: 'hostname', text: hostname },
    { label: 'status', text: status, style: statusStyle(status) },
    { label: 'reason', text: reason, style: statusStyle(status) },
    {
      label: 'pending host key',
      text: pending_host_key === undefined ? '' : `${pending_host_key.type} ${pending_host_key.fingerprint}`,
      style: 'bad',
    },
    {
      label: 'accept with',
      text:
        pending_host_key === undefined
          ? ''
          : `hostler host accept-key ${address} ${pending_host_key.fingerprint}`,
    },
    { label: 'cluster', text: cluster },
    { label: 'labels', text: labelsText(labels) },
    {
      label: 'maintenance',
      text: maintenance.on ? maintenance.reason || 'on' : '',
      style: 'doubtful',
    },
    ...tasks.map(each => ({ label: 'pending task', text: workText(each) })),
  ];
}

/** What to do about a failed host, below its fields; empty: nothing. */
export const retryHint = (address: string, { host }: StatusReport): string =>
  host.status === 'failed' && host.pending_host_key === undefined
    ? `After you fix this: hostler host retry ${address}\n`
    : '';

function sourceText(source: Own['source']): string {
  if (source === undefined) return '';
  const { name, age_s, known, problem } = source;
  const age = age_s === undefined ? '' : `, updated ${duration(age_s * 1000)} ago`;
  return `${name}${age}${known ? '' : ', host unknown'}${problem === undefined ? '' : `: ${problem}`}`;
}

const yesOrNo = (is: boolean | undefined) => (is === undefined ? '' : is ? 'yes' : 'no');

/** What is left of the report, for who wants all of it. */
export function reportFields({ type, host, container_manager: node }: StatusReport): readonly Field[] {
  return [
    { label: 'last check', text: utcTime(host.last_check) },
    { label: 'boot id', text: host.boot_id ?? '' },
    { label: 'transport', text: host.transport ?? '' },
    { label: 'source', text: sourceText(host.source) },
    ...Object.entries(host.source?.conditions ?? {}).map(([name, text]) => ({
      label: 'condition',
      text: `${name} ${text}`,
    })),
    { label: 'container manager', text: type === 'host_only' ? 'none' : type },
    { label: 'node', text: node.name ?? '' },
    { label: 'node ready', text: yesOrNo(node.ready), style: node.ready === false ? 'bad' : undefined },
    { label: 'schedulable', text: yesOrNo(node.schedulable) },
    { label: 'node problem', text: node.reason ?? '', style: 'bad' },
  ];
}
