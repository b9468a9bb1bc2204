// Events and audit entries as short sentences with links, for the overview, the events and the audit log. A type that this table does not
// have is shown by its name.

import { isCheckingHosts, PAUSE_TEXTS } from '#client/operation-words.ts';
import { utcTime } from '#client/times.ts';
import type { EventType, HostState, PauseReason } from '#vocabulary';
import { labelsIn, labelTexts } from '../fleet/labels.ts';
import { listOf, textOf } from '../live/event-data.ts';
import { counted } from '../ui/words/counted.ts';
import { begun } from '../ui/words/sentence.ts';
import { reasonBeside } from '../ui/words/status-words.ts';
import type { EventWords, PageLink } from './event-sentence.ts';
import { linked, page } from './event-sentence.ts';
import type { Happened, Words } from './happened.ts';
import {
  accountOf,
  after,
  clusterOf,
  hostOf,
  hostPage,
  inParentheses,
  managerOf,
  nameOf,
  networkOf,
  operationOf,
  problemOf,
  settingsOf,
  timesOf,
  tokenOf,
  webhookOf,
  wordOf,
} from './happened.ts';

export type { Happened } from './happened.ts';

/** The first by name, the others by number. */
function someHosts(addresses: readonly string[]): EventWords {
  const [first = '', ...others] = addresses;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other host')}`;
  return linked`${hostPage(first)}${more}`;
}

function members(happened: Happened): EventWords {
  const [joined, left] = [listOf(happened, 'joined'), listOf(happened, 'left')];
  const cluster = clusterOf(happened);
  if (left.length === 0) return linked`${someHosts(joined)} joined ${cluster}`;
  if (joined.length === 0) return linked`${someHosts(left)} left ${cluster}`;
  return linked`${someHosts(joined)} joined ${cluster}; ${someHosts(left)} left`;
}

/** ` changed from ok to degraded`, or ` is now degraded` if the old status is missing. */
function statusChange(happened: Happened): string {
  const [from, to] = [wordOf(happened, 'from'), wordOf(happened, 'to')];
  return from === '' ? ` is now ${to}` : ` changed from ${from} to ${to}`;
}

function hostStatus(happened: Happened): EventWords {
  const maintenance = happened.data['in_maintenance'] === true ? ['in maintenance'] : [];
  const reason = reasonBeside(textOf(happened, 'to'), textOf(happened, 'reason'));
  const details = [...maintenance, ...(reason === '' ? [] : [reason])].join('; ');
  return linked`Host ${hostOf(happened)}${statusChange(happened)}${inParentheses(details)}`;
}

function hostMaintenance(happened: Happened): EventWords {
  const reason = after(': ', textOf(happened, 'reason'));
  return happened.data['on'] === false
    ? linked`Host ${hostOf(happened)} left maintenance`
    : linked`Host ${hostOf(happened)} entered maintenance${reason}`;
}

function hostLabels(happened: Happened): EventWords {
  const texts = labelTexts(labelsIn(happened.data['labels']));
  return texts.length === 0
    ? linked`All labels of host ${hostOf(happened)} removed`
    : linked`Labels of host ${hostOf(happened)} set to ${texts.join(', ')}`;
}

/** `Restart of web`; without the cluster if the event names none. */
function operationTitle(happened: Happened): EventWords {
  const title = operationOf(happened, begun(textOf(happened, 'kind')) || 'Operation');
  return happened.cluster === null ? linked`${title}` : linked`${title} of ${clusterOf(happened)}`;
}

function started(happened: Happened): EventWords {
  const count = textOf(happened, 'hosts');
  const on = count === '' ? '' : ` on ${counted(Number(count), 'host')}`;
  return linked`${operationTitle(happened)}${after(' to ', textOf(happened, 'version'))} started${on}`;
}

const isPauseReason = (text: string): text is PauseReason => Object.hasOwn(PAUSE_TEXTS, text);

/** `paused because hosts failed`, or the state alone. */
function operationState(happened: Happened): string {
  const [state, pausedBy] = [wordOf(happened, 'state'), textOf(happened, 'paused_by')];
  if (state !== 'paused') return `is ${state}`;
  return isPauseReason(pausedBy) ? PAUSE_TEXTS[pausedBy] : `paused${after(' by ', pausedBy)}`;
}

const HOST_STATES: Readonly<Record<string, string>> = {
  applying: 'is installing',
  failed: 'failed',
  preflight: 'is being checked',
  skipped: 'was skipped',
} satisfies Partial<Record<HostState, string>>;

const hostState = (happened: Happened): string =>
  HOST_STATES[textOf(happened, 'state')] ?? `is ${wordOf(happened, 'state')}`;

function operationHost(happened: Happened): EventWords {
  const attempt = textOf(happened, 'attempt');
  const retried = attempt === '' || attempt === '1' ? '' : ` (attempt ${attempt})`;
  return linked`${operationTitle(happened)}: host ${hostOf(happened)} ${hostState(happened)}${retried}${inParentheses(reasonBeside(textOf(happened, 'state'), textOf(happened, 'problem')))}`;
}

/** `Restart of web finished`; `Restart of web ended` if the state is missing. */
const operationEnded: Words = happened =>
  linked`${operationTitle(happened)} ${wordOf(happened, 'state') || 'ended'}${problemOf(happened)}`;

/** `denied` for missing permission, `rejected` for everything else, such as an invalid body. */
const denialOf = (happened: Happened): string =>
  ['401', '403'].includes(textOf(happened, 'status')) ? 'denied' : 'rejected';

function loginFailed(happened: Happened): EventWords {
  const who = nameOf(happened) === '' ? linked`an unknown account` : linked`account ${accountOf(happened)}`;
  return linked`Sign-in as ${who} failed: ${wordOf(happened, 'code')}${timesOf(happened)}`;
}

const created =
  (what: string, of: (happened: Happened) => PageLink, more: Words = () => linked``): Words =>
  happened =>
    linked`${what} ${of(happened)} created${more(happened)}`;
const updated =
  (what: string, of: (happened: Happened) => PageLink, more: Words = () => linked``): Words =>
  happened =>
    linked`${what} ${of(happened)} updated${more(happened)}`;
const removed =
  (what: string): Words =>
  happened =>
    linked`${what} ${nameOf(happened)} removed`;
const secretsRead =
  (what: string, of: (happened: Happened) => PageLink): Words =>
  happened =>
    linked`Secrets of ${what} ${of(happened)} viewed`;

const role: Words = happened => linked`${inParentheses(textOf(happened, 'role'))}`;
const driverType: Words = happened => linked`${inParentheses(textOf(happened, 'type'))}`;
const clusterSettings: Words = happened => linked`: ${settingsOf(happened)}`;

const WORDS: Readonly<Record<EventType, Words>> = {
  'account.created': created('Account', accountOf, role),
  'account.changed': updated('Account', accountOf, role),
  'account.removed': removed('Account'),
  'account.password_changed': happened => linked`Password of account ${accountOf(happened)} changed`,
  'account.login_failed': loginFailed,
  'account.signed_in': happened => linked`Account ${accountOf(happened)} signed in`,
  'account.password_confirmed': happened => linked`Account ${accountOf(happened)} confirmed the password`,
  'account.signed_out': happened => linked`Account ${accountOf(happened)} signed out`,
  'cluster.created': created('Cluster', clusterOf, clusterSettings),
  'cluster.changed': updated('Cluster', clusterOf, clusterSettings),
  'cluster.members': members,
  'cluster.policy_changed': happened => linked`Policy of cluster ${clusterOf(happened)} updated`,
  'cluster.status': happened => linked`Cluster ${clusterOf(happened)}${statusChange(happened)}`,
  'cluster.removed': happened => linked`Cluster ${clusterOf(happened).text} removed`,
  'container_manager.created': created('Container manager', managerOf, driverType),
  'container_manager.changed': updated('Container manager', managerOf, driverType),
  'container_manager.removed': removed('Container manager'),
  'container_manager.secrets_read': secretsRead('container manager', managerOf),
  'data_key.rotated': () => linked`Data key rotated`,
  'host.created': happened =>
    linked`Host ${hostOf(happened)} enrolled${after(' with token ', textOf(happened, 'token'))}`,
  'host.status': hostStatus,
  'host.credentials_changed': happened => linked`Credentials of host ${hostOf(happened)} replaced`,
  'host.credentials_read': happened => linked`Private key of host ${hostOf(happened)} viewed`,
  'host.key_accepted': happened =>
    linked`Host key of ${hostOf(happened)} accepted${after(': ', textOf(happened, 'fingerprint'))}`,
  'host.labels_changed': hostLabels,
  'host.maintenance_changed': hostMaintenance,
  'host.removed': happened => linked`Host ${hostOf(happened).text} removed`,
  'log.pruned': happened => linked`Audit log pruned: ${textOf(happened, 'entries')} old entries removed`,
  'log.tampered': happened => linked`The audit log was tampered with${problemOf(happened)}`,
  'network.created': created('Network', networkOf, driverType),
  'network.changed': updated('Network', networkOf, driverType),
  'network.removed': removed('Network'),
  'network.secrets_read': secretsRead('network', networkOf),
  'operation.started': started,
  'operation.state': happened =>
    // The page of the operation names the hosts.
    isCheckingHosts(textOf(happened, 'problem'))
      ? linked`${operationTitle(happened)} is checking hosts`
      : linked`${operationTitle(happened)} ${operationState(happened)}${problemOf(happened)}`,
  'operation.host': operationHost,
  'operation.ended': operationEnded,
  'operations.paused': () => linked`All ${page('operations', '/operations')} paused`,
  'operations.resumed': () => linked`All ${page('operations', '/operations')} resumed`,
  'request.denied': happened =>
    linked`${textOf(happened, 'method')} ${textOf(happened, 'path')} ${denialOf(happened)}: ${wordOf(happened, 'code')}${timesOf(happened)}`,
  'request.denials_suppressed': happened =>
    linked`${textOf(happened, 'count')} more denied or rejected requests, not listed individually`,
  'service.restored': happened =>
    linked`Store restored from the backup of ${utcTime(textOf(happened, 'backup_at'))}`,
  'token.created': created('Enrolment token', tokenOf),
  'token.removed': removed('Enrolment token'),
  'webhook.created': created('Webhook', webhookOf),
  'webhook.changed': updated('Webhook', webhookOf),
  'webhook.removed': removed('Webhook'),
  'webhook.disabled': happened =>
    linked`Webhook ${webhookOf(happened)} disabled until a user resumes it${problemOf(happened)}`,
  'webhook.resumed': happened => linked`Webhook ${webhookOf(happened)} resumed`,
};

/** For types that this version does not know. */
export const spelt: Words = ({ type, subject = '' }) =>
  linked`${type.replace('.', ': ').replaceAll('_', ' ')}${after(', ', subject)}`;

const isKnown = (type: string): type is EventType => Object.hasOwn(WORDS, type);

export const eventWords = (happened: Happened): EventWords =>
  (isKnown(happened.type) ? WORDS[happened.type] : spelt)(happened);
