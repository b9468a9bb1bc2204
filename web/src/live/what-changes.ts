import type { LoggedEvent } from './recent-events.ts';

/** The beginning of the keys of what was read; all that begin so are read anew. */
export type KeyStart = readonly string[];

const nameOf = ({ data }: LoggedEvent) => (typeof data['name'] === 'string' ? data['name'] : '');

const ofHost = ({ host }: LoggedEvent): KeyStart[] => (host === null ? [] : [['host', host]]);
const ofCluster = ({ cluster }: LoggedEvent): KeyStart[] => (cluster === null ? [] : [['cluster', cluster]]);

/** By the noun of the event. The list of hosts and the hosts of an operation are no part of it: they follow each event by themselves. */
const CHANGES: Readonly<Record<string, (event: LoggedEvent) => readonly KeyStart[]>> = {
  account: event => [['accounts'], ['account', nameOf(event)]],
  cluster: event => [['clusters'], ['overview'], ...ofCluster(event), ...movedHosts(event)],
  container_manager: event => [['container-managers'], ['container-manager', nameOf(event)]],
  host: event => [
    ['overview'],
    ...ofHost(event),
    ...ofCluster(event),
    // One use of the token by which it has come.
    ...(typeof event.data['token'] === 'string' ? [['tokens']] : []),
  ],
  network: event => [['networks'], ['network', nameOf(event)]],
  operation: event => [
    ['operations'],
    ...(event.type === 'operation.host' ? [] : [['ended-operations'], ['overview']]),
    ...(event.operation === null ? [] : [['operation', event.operation, 'whole']]),
    ...ofHost(event),
  ],
  operations: () => [['hold'], ['operations'], ['operation']],
  token: event => [['tokens'], ['token', nameOf(event)]],
  webhook: event => [['webhooks'], ['webhook', nameOf(event)]],
};

function movedHosts({ data }: LoggedEvent): readonly KeyStart[] {
  const moved = [data['joined'], data['left']].flat();
  return moved.filter(each => typeof each === 'string').map(address => ['host', address]);
}

/** Whoever reads changes nothing, and must not be told to read again: that would be told as well, without end. */
const READS: ReadonlySet<string> = new Set([
  'container_manager.secrets_read',
  'host.credentials_read',
  'network.secrets_read',
]);

/** What was read and is no longer true after an event. */
export function whatChanges(event: LoggedEvent): readonly KeyStart[] {
  const noun = event.type.slice(0, event.type.indexOf('.'));
  return [['audit'], ...(READS.has(event.type) ? [] : (CHANGES[noun]?.(event) ?? []))];
}
