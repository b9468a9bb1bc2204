// Formats events and audit log entries as short messages with links. An unknown type is shown by its name.

import { utcTime } from '#sdk/format.ts';
import type { Hostnames } from '#sdk/hostnames.ts';
import { isCheckingHosts, PAUSE_TEXTS } from '#sdk/operation-text.ts';
import type { EventType, OperationHostState, PauseReason } from '#vocabulary';
import { NO_HOSTNAMES } from '../hosts/hostnames.ts';
import { formatLabels, parseLabels } from '../hosts/labels.ts';
import { getText, getTextList } from '../live/event-fields.ts';
import { capitalize, formatCount, stripStatusPrefix } from '../ui/format/text.ts';
import type { EventFormatter, EventLike, LinkedText, LinkTarget } from './event-message-parts.ts';
import {
  accountLink,
  clusterLink,
  containerManagerLink,
  formatProblem,
  formatSettings,
  formatTimes,
  getName,
  getStatusText,
  hostLink,
  hostLinkTo,
  inParentheses,
  linkedText,
  linkTo,
  networkLink,
  operationLink,
  tokenLink,
  webhookLink,
  withHostnames,
  withPrefix,
} from './event-message-parts.ts';

export type { EventLike } from './event-message-parts.ts';

/** Names the first host and counts the others. */
function formatHosts(addresses: readonly string[]): LinkedText {
  const [first = '', ...others] = addresses;
  const more = others.length === 0 ? '' : ` and ${formatCount(others.length, 'other host')}`;
  return linkedText`${hostLinkTo(first)}${more}`;
}

function membersMessage(event: EventLike): LinkedText {
  const [joined, left] = [getTextList(event, 'joined'), getTextList(event, 'left')];
  const cluster = clusterLink(event);
  if (left.length === 0) return linkedText`${formatHosts(joined)} joined ${cluster}`;
  if (joined.length === 0) return linkedText`${formatHosts(left)} left ${cluster}`;
  return linkedText`${formatHosts(joined)} joined ${cluster}; ${formatHosts(left)} left`;
}

/** ` changed from ok to degraded`, or ` is now degraded` if the old status is missing. */
function formatStatusChange(event: EventLike): string {
  const [from, to] = [getStatusText(event, 'from'), getStatusText(event, 'to')];
  return from === '' ? ` is now ${to}` : ` changed from ${from} to ${to}`;
}

function hostStatusMessage(event: EventLike): LinkedText {
  const maintenance = event.data['in_maintenance'] === true ? ['in maintenance'] : [];
  const reason = stripStatusPrefix(getText(event, 'to'), getText(event, 'reason'));
  const details = [...maintenance, ...(reason === '' ? [] : [reason])].join('; ');
  return linkedText`Host ${hostLink(event)}${formatStatusChange(event)}${inParentheses(details)}`;
}

function hostMaintenanceMessage(event: EventLike): LinkedText {
  const reason = withPrefix(': ', getText(event, 'reason'));
  return event.data['on'] === false
    ? linkedText`Host ${hostLink(event)} left maintenance`
    : linkedText`Host ${hostLink(event)} entered maintenance${reason}`;
}

function hostLabelsMessage(event: EventLike): LinkedText {
  const texts = formatLabels(parseLabels(event.data['labels']));
  return texts.length === 0
    ? linkedText`All labels of host ${hostLink(event)} removed`
    : linkedText`Labels of host ${hostLink(event)} set to ${texts.join(', ')}`;
}

/** `Restart of web`, or `Restart` if the event has no cluster. */
function operationTitle(event: EventLike): LinkedText {
  const title = operationLink(event, capitalize(getText(event, 'kind')) || 'Operation');
  return event.cluster === null ? linkedText`${title}` : linkedText`${title} of ${clusterLink(event)}`;
}

function operationStartedMessage(event: EventLike): LinkedText {
  const count = getText(event, 'hosts');
  const on = count === '' ? '' : ` on ${formatCount(Number(count), 'host')}`;
  return linkedText`${operationTitle(event)}${withPrefix(' to ', getText(event, 'version'))} started${on}`;
}

const isPauseReason = (text: string): text is PauseReason => Object.hasOwn(PAUSE_TEXTS, text);

/** `paused because hosts failed`, or only the state. */
function formatOperationState(event: EventLike): string {
  const [state, pausedBy] = [getStatusText(event, 'state'), getText(event, 'paused_by')];
  if (state !== 'paused') return `is ${state}`;
  return isPauseReason(pausedBy) ? PAUSE_TEXTS[pausedBy] : `paused${withPrefix(' by ', pausedBy)}`;
}

const HOST_STATES: Readonly<Record<string, string>> = {
  applying: 'is installing',
  failed: 'failed',
  preflight: 'is being checked',
  skipped: 'was skipped',
} satisfies Partial<Record<OperationHostState, string>>;

const formatHostState = (event: EventLike): string =>
  HOST_STATES[getText(event, 'state')] ?? `is ${getStatusText(event, 'state')}`;

function operationHostMessage(event: EventLike): LinkedText {
  const attempt = getText(event, 'attempt');
  const attemptText = attempt === '' || attempt === '1' ? '' : ` (attempt ${attempt})`;
  return linkedText`${operationTitle(event)}: host ${hostLink(event)} ${formatHostState(event)}${attemptText}${inParentheses(stripStatusPrefix(getText(event, 'state'), getText(event, 'problem')))}`;
}

/** `Restart of web finished`, or `Restart of web ended` if the state is missing. */
const operationEndedMessage: EventFormatter = event =>
  linkedText`${operationTitle(event)} ${getStatusText(event, 'state') || 'ended'}${formatProblem(event)}`;

/** `denied` for missing permission, `rejected` for other errors such as an invalid body. */
const denialLabel = (event: EventLike): string =>
  ['401', '403'].includes(getText(event, 'status')) ? 'denied' : 'rejected';

function loginFailedMessage(event: EventLike): LinkedText {
  const account = getName(event) === '' ? linkedText`an unknown account` : linkedText`account ${accountLink(event)}`;
  return linkedText`Sign-in as ${account} failed: ${getStatusText(event, 'code')}${formatTimes(event)}`;
}

const createdMessage =
  (noun: string, link: (event: EventLike) => LinkTarget, suffix: EventFormatter = () => linkedText``): EventFormatter =>
  event =>
    linkedText`${noun} ${link(event)} created${suffix(event)}`;
const updatedMessage =
  (noun: string, link: (event: EventLike) => LinkTarget, suffix: EventFormatter = () => linkedText``): EventFormatter =>
  event =>
    linkedText`${noun} ${link(event)} updated${suffix(event)}`;
const removedMessage =
  (noun: string): EventFormatter =>
  event =>
    linkedText`${noun} ${getName(event)} removed`;
const secretsReadMessage =
  (noun: string, link: (event: EventLike) => LinkTarget): EventFormatter =>
  event =>
    linkedText`Secrets of ${noun} ${link(event)} viewed`;

const roleSuffix: EventFormatter = event => linkedText`${inParentheses(getText(event, 'role'))}`;
const driverTypeSuffix: EventFormatter = event => linkedText`${inParentheses(getText(event, 'type'))}`;
const clusterSettingsSuffix: EventFormatter = event => linkedText`: ${formatSettings(event)}`;

const MESSAGES: Readonly<Record<EventType, EventFormatter>> = {
  'account.created': createdMessage('Account', accountLink, roleSuffix),
  'account.changed': updatedMessage('Account', accountLink, roleSuffix),
  'account.removed': removedMessage('Account'),
  'account.password_changed': event => linkedText`Password of account ${accountLink(event)} changed`,
  'account.login_failed': loginFailedMessage,
  'account.signed_in': event => linkedText`Account ${accountLink(event)} signed in`,
  'account.password_confirmed': event => linkedText`Account ${accountLink(event)} confirmed the password`,
  'account.signed_out': event => linkedText`Account ${accountLink(event)} signed out`,
  'cluster.created': createdMessage('Cluster', clusterLink, clusterSettingsSuffix),
  'cluster.changed': updatedMessage('Cluster', clusterLink, clusterSettingsSuffix),
  'cluster.members': membersMessage,
  'cluster.policy_changed': event => linkedText`Policy of cluster ${clusterLink(event)} updated`,
  'cluster.status': event => linkedText`Cluster ${clusterLink(event)}${formatStatusChange(event)}`,
  'cluster.removed': event => linkedText`Cluster ${clusterLink(event).text} removed`,
  'container_manager.created': createdMessage('Container manager', containerManagerLink, driverTypeSuffix),
  'container_manager.changed': updatedMessage('Container manager', containerManagerLink, driverTypeSuffix),
  'container_manager.removed': removedMessage('Container manager'),
  'container_manager.secrets_read': secretsReadMessage('container manager', containerManagerLink),
  'data_key.rotated': () => linkedText`Data key rotated`,
  'host.created': event =>
    linkedText`Host ${hostLink(event)} enrolled${withPrefix(' with token ', getText(event, 'token'))}`,
  'host.status': hostStatusMessage,
  'host.credentials_changed': event => linkedText`Credentials of host ${hostLink(event)} replaced`,
  'host.credentials_read': event => linkedText`Private key of host ${hostLink(event)} viewed`,
  'host.key_accepted': event =>
    linkedText`Host key of ${hostLink(event)} accepted${withPrefix(': ', getText(event, 'fingerprint'))}`,
  'host.labels_changed': hostLabelsMessage,
  'host.maintenance_changed': hostMaintenanceMessage,
  'host.removed': event => linkedText`Host ${hostLink(event).text} removed`,
  'log.pruned': event => linkedText`Audit log pruned: ${getText(event, 'entries')} old entries removed`,
  'log.tampered': event => linkedText`The audit log was tampered with${formatProblem(event)}`,
  'network.created': createdMessage('Network', networkLink, driverTypeSuffix),
  'network.changed': updatedMessage('Network', networkLink, driverTypeSuffix),
  'network.removed': removedMessage('Network'),
  'network.secrets_read': secretsReadMessage('network', networkLink),
  'operation.started': operationStartedMessage,
  'operation.state': event =>
    // The operation page names the hosts.
    isCheckingHosts(getText(event, 'problem'))
      ? linkedText`${operationTitle(event)} is checking hosts`
      : linkedText`${operationTitle(event)} ${formatOperationState(event)}${formatProblem(event)}`,
  'operation.host': operationHostMessage,
  'operation.ended': operationEndedMessage,
  'operations.paused': () => linkedText`All ${linkTo('operations', '/operations')} paused`,
  'operations.resumed': () => linkedText`All ${linkTo('operations', '/operations')} resumed`,
  'request.denied': event =>
    linkedText`${getText(event, 'method')} ${getText(event, 'path')} ${denialLabel(event)}: ${getStatusText(event, 'code')}${formatTimes(event)}`,
  'request.denials_suppressed': event =>
    linkedText`${getText(event, 'count')} more denied or rejected requests, not listed individually`,
  'service.restored': event => linkedText`Store restored from the backup of ${utcTime(getText(event, 'backup_at'))}`,
  'token.created': createdMessage('Enrolment token', tokenLink),
  'token.removed': removedMessage('Enrolment token'),
  'webhook.created': createdMessage('Webhook', webhookLink),
  'webhook.changed': updatedMessage('Webhook', webhookLink),
  'webhook.removed': removedMessage('Webhook'),
  'webhook.disabled': event =>
    linkedText`Webhook ${webhookLink(event)} disabled until a user resumes it${formatProblem(event)}`,
  'webhook.resumed': event => linkedText`Webhook ${webhookLink(event)} resumed`,
};

/** For event types that this version does not know. */
export const fallbackMessage: EventFormatter = ({ type, subject = '' }) =>
  linkedText`${type.replace('.', ': ').replaceAll('_', ' ')}${withPrefix(', ', subject)}`;

const isEventType = (type: string): type is EventType => Object.hasOwn(MESSAGES, type);

/** `hostnames`: hosts are shown by their names, or by their addresses if they have none. */
export const eventMessage = (event: EventLike, hostnames: Hostnames = NO_HOSTNAMES): LinkedText =>
  withHostnames((isEventType(event.type) ? MESSAGES[event.type] : fallbackMessage)(event), hostnames);
