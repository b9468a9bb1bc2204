// What happened, in one short sentence with links: for the overview, the events and the audit. Types that are not known here are told by
// their name.

import { nounOf } from '#vocabulary';
import { labelsIn, labelTexts } from '../fleet/labels.ts';
import { listOf, textOf } from '../live/event-data.ts';
import { counted } from '../ui/words/counted.ts';
import { begun } from '../ui/words/sentence.ts';
import type { EventWords, PageLink } from './event-sentence.ts';
import { linked, page } from './event-sentence.ts';
import type { Happened, Words } from './happened.ts';
import {
  accountOf,
  after,
  clusterOf,
  hostOf,
  hostPage,
  managerOf,
  nameOf,
  networkOf,
  operationOf,
  problemOf,
  settingsOf,
  timesOf,
  tokenOf,
  webhookOf,
  whyOf,
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
  return linked`${someHosts(joined)} joined ${cluster}, ${someHosts(left)} left it`;
}

function hostStatus(happened: Happened): EventWords {
  const maintenance = happened.data['in_maintenance'] === true ? ', in maintenance' : '';
  return linked`${hostOf(happened)} is ${wordOf(happened, 'to')}${after(', was ', wordOf(happened, 'from'))}${maintenance}${whyOf(happened, 'to', 'reason')}`;
}

function hostMaintenance(happened: Happened): EventWords {
  const reason = after(': ', textOf(happened, 'reason'));
  return happened.data['on'] === false
    ? linked`Maintenance of ${hostOf(happened)} has ended`
    : linked`${hostOf(happened)} is in maintenance${reason}`;
}

function hostLabels(happened: Happened): EventWords {
  const texts = labelTexts(labelsIn(happened.data['labels']));
  return linked`${hostOf(happened)} has ${texts.length === 0 ? 'no labels now' : `the labels ${texts.join(', ')}`}`;
}

function started(happened: Happened): EventWords {
  const title = operationOf(happened, begun(textOf(happened, 'kind')) || 'Operation');
  const count = textOf(happened, 'hosts');
  const on = count === '' ? '' : `, on ${counted(Number(count), 'host')}`;
  return linked`${title} of ${clusterOf(happened)}${after(' to ', textOf(happened, 'version'))} has begun${on}`;
}

/** Without its cluster where that is not told. */
const onCluster = (happened: Happened) =>
  happened.cluster === null ? linked`` : linked` on ${clusterOf(happened)}`;

function operationHost(happened: Happened): EventWords {
  const attempt = textOf(happened, 'attempt');
  const tried = attempt === '' || attempt === '1' ? '' : `, attempt ${attempt}`;
  return linked`${hostOf(happened)} is ${wordOf(happened, 'state')} in the ${operationOf(happened, 'operation')}${onCluster(happened)}${tried}${whyOf(happened, 'state', 'problem')}`;
}

function loginRefused(happened: Happened): EventWords {
  const name = nameOf(happened);
  const who = name === '' ? linked`somebody` : linked`${accountOf(happened)}`;
  return linked`A login as ${who} was refused: ${wordOf(happened, 'code')}${timesOf(happened)}`;
}

const made = (what: string, of: (happened: Happened) => PageLink, more: Words = () => linked``) => ({
  created: (happened: Happened) => linked`${what} ${of(happened)} was made${more(happened)}`,
  changed: (happened: Happened) => linked`${what} ${of(happened)} was changed${more(happened)}`,
  removed: (happened: Happened) => linked`${what} ${nameOf(happened)} was removed`,
  secrets_read: (happened: Happened) => linked`Secrets of ${what.toLowerCase()} ${of(happened)} were read`,
});

const ofType: Words = happened => linked`, ${textOf(happened, 'type')}`;

/** By noun and verb. */
const WORDS: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  account: {
    ...made('Account', accountOf, happened => linked`, ${textOf(happened, 'role')}`),
    password: happened => linked`Account ${accountOf(happened)} has another password`,
    login_refused: loginRefused,
    signed_in: happened => linked`${accountOf(happened)} has signed in`,
    password_confirmed: happened => linked`${accountOf(happened)} confirmed the password`,
    signed_out: happened => linked`${accountOf(happened)} has signed out`,
  },
  cluster: {
    created: happened => linked`Cluster ${clusterOf(happened)} was made: ${settingsOf(happened)}`,
    changed: happened => linked`Cluster ${clusterOf(happened)} was changed: ${settingsOf(happened)}`,
    members,
    policy: happened => linked`Cluster ${clusterOf(happened)} has another policy`,
    status: happened =>
      linked`Cluster ${clusterOf(happened)} is ${wordOf(happened, 'to')}${after(', was ', wordOf(happened, 'from'))}`,
    removed: happened => linked`Cluster ${clusterOf(happened).text} was removed`,
  },
  container_manager: made('Container manager', managerOf, ofType),
  data_key: { rotated: () => linked`Secrets are sealed with a new key` },
  host: {
    created: happened =>
      linked`${hostOf(happened)} was enrolled${after(', by the token ', textOf(happened, 'token'))}`,
    status: hostStatus,
    credentials_changed: happened => linked`${hostOf(happened)} has new credentials`,
    credentials_read: happened => linked`The private key of ${hostOf(happened)} was read`,
    key_accepted: happened =>
      linked`The host key of ${hostOf(happened)} was accepted${after(': ', textOf(happened, 'fingerprint'))}`,
    labels: hostLabels,
    maintenance: hostMaintenance,
    removed: happened => linked`Host ${hostOf(happened).text} was removed`,
  },
  log: {
    cut: happened => linked`${textOf(happened, 'entries')} old entries of the log were cut off`,
    tampered: happened => linked`The audit log was tampered with: ${textOf(happened, 'problem')}`,
  },
  network: made('Network', networkOf, ofType),
  operation: {
    started,
    state: happened =>
      linked`${operationOf(happened, 'Operation')}${onCluster(happened)} is ${wordOf(happened, 'state')}${after(', by ', wordOf(happened, 'pause'))}${problemOf(happened)}`,
    host: operationHost,
    ended: happened =>
      linked`${operationOf(happened, 'Operation')}${onCluster(happened)} has ended: ${wordOf(happened, 'state')}${problemOf(happened)}`,
  },
  operations: {
    held: () => linked`All ${page('operations', '/operations')} are held`,
    released: () => linked`${page('Operations', '/operations')} may go on`,
  },
  request: {
    refused: happened =>
      linked`${textOf(happened, 'method')} ${textOf(happened, 'path')} was refused: ${wordOf(happened, 'code')}${timesOf(happened)}`,
    left_out: happened => linked`${textOf(happened, 'times')} more refusals were not told one by one`,
  },
  service: {
    restored: happened => linked`The store is as it was in the backup of ${textOf(happened, 'backup_at')}`,
  },
  token: made('Enrolment token', tokenOf),
  webhook: {
    ...made('Webhook', webhookOf),
    parked: happened =>
      linked`Webhook ${webhookOf(happened)} is parked until somebody resumes it${problemOf(happened)}`,
    resumed: happened => linked`Webhook ${webhookOf(happened)} goes on`,
  },
};

/** For types that have no words here. */
export const spelt: Words = ({ type, subject = '' }) =>
  linked`${type.replace('.', ': ').replaceAll('_', ' ')}${after(', ', subject)}`;

export function eventWords(happened: Happened): EventWords {
  const noun = nounOf(happened.type);
  const verb = happened.type.slice(noun.length + 1);
  const words = Object.hasOwn(WORDS, noun) ? WORDS[noun] : undefined;
  return (words && Object.hasOwn(words, verb) ? words[verb] : undefined)?.(happened) ?? spelt(happened);
}
