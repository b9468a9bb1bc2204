// What was once answered or written stays so, and hosts and operations belong together.

import { HOST_PHASES } from '../../../../src/domain/vocabulary.ts';
import type { Moved, Rule } from './rule.ts';
import { hostAt, isInFlight, isOpen, isPreparing, policyOf } from './state.ts';

const nothingIsLost: Rule = ({ after, told }) => {
  const known = new Set(after.operations.map(({ id }) => id));
  const lost = [...told.operations].filter(id => !known.has(id));
  return lost.length > 0 ? `operations were answered for and are gone: ${lost.join(', ')}` : undefined;
};

const endsAreEnds: Rule = ({ before, after, told }) => {
  for (const was of before.operations) {
    const is = after.operations.find(({ id }) => id === was.id);
    if (is === undefined) return `operation ${was.id} is gone`;
    if (isOpen(was) || is.state === was.state) continue;
    if (was.state !== 'failed' || !told.isRetrying)
      return `operation ${was.id} was ${was.state} and is ${is.state}`;
  }
  return undefined;
};

const cancelledStaysSo: Rule = ({ after, told }) => {
  const other = after.operations.find(
    ({ id, state }) => told.cancelled.has(id) && state !== 'cancelling' && state !== 'cancelled',
  );
  return other && `operation ${other.id} was cancelled and is ${other.state}`;
};

const placeOf = (phase: Moved['is']['phase']) => HOST_PHASES.indexOf(phase);

interface Circumstances {
  readonly isRetrying: boolean;
  /** People have taken it out of service. */
  readonly isMaintained: boolean;
}

function moveProblem({ was, is }: Moved, { isRetrying, isMaintained }: Circumstances): string | undefined {
  if (is.enrolment !== was.enrolment) return 'is another host now';
  if (!is.phases_json.startsWith(was.phases_json.slice(0, -1))) return 'has another past';
  if (is.attempt !== was.attempt) {
    const isRetry = isRetrying && was.phase === 'failed' && is.attempt === was.attempt + 1;
    return isRetry && is.phase === 'pending'
      ? undefined
      : `went from attempt ${was.attempt} to ${is.attempt}`;
  }
  if (isMaintained && isPreparing(was) && is.phase === 'pending') return undefined;
  const isFine =
    was.phase === is.phase ||
    (was.phase !== 'done' && was.phase !== 'skipped' && placeOf(is.phase) >= placeOf(was.phase));
  return isFine ? undefined : `went from ${was.phase} to ${is.phase}`;
}

const hostsOnlyAdvance: Rule = commit => {
  for (const moved of commit.moved) {
    const isMaintained = hostAt(commit.after, moved.is.host)?.in_maintenance === 1;
    const problem = moveProblem(moved, { isRetrying: commit.told.isRetrying, isMaintained });
    if (problem) return `${moved.is.host} in operation ${moved.is.operation} ${problem}`;
  }
  return undefined;
};

const membersOnly: Rule = ({ after }) => {
  const operations = new Map(after.operations.map(operation => [operation.id, operation]));
  for (const row of after.planned.filter(isInFlight)) {
    const host = hostAt(after, row.host);
    if (host?.enrolment !== row.enrolment) return `${row.host} is gone, and in flight`;
    const operation = operations.get(row.operation);
    if (host.cluster !== operation?.cluster) return `${row.host} has left its cluster, and is in flight`;
    if (!isOpen(operation))
      return `${row.host} is in flight in operation ${row.operation}, which is ${operation.state}`;
  }
  return undefined;
};

/** Nobody is said to have left who is there. */
const goneAreGone: Rule = ({ after, moved }) => {
  const operations = new Map(after.operations.map(operation => [operation.id, operation]));
  for (const { was, is } of moved) {
    if (is.phase !== 'skipped' || was.phase === 'skipped' || is.skip_reason !== 'left_cluster') continue;
    const host = hostAt(after, is.host);
    if (host?.enrolment === is.enrolment && host.cluster === operations.get(is.operation)?.cluster)
      return `${is.host} is skipped in operation ${is.operation} as one that left, and is a member`;
  }
  return undefined;
};

/** Who was told that a host is left alone is not told later that it failed. */
const skipsAreKept: Rule = ({ moved, told }) => {
  const broken = moved.find(
    ({ was, is }) =>
      is.phase === 'failed' &&
      was.phase !== 'failed' &&
      is.attempt === was.attempt &&
      told.skipped.has(`${is.operation} ${is.host}`),
  );
  return broken && `${broken.is.host} was skipped in operation ${broken.is.operation}, and has failed`;
};

/** Nobody gets an image by a boot later on, unless the record says so, or no reboot was asked for. A restart applies none. */
const imagesAreLocked: Rule = ({ after, moved, machineAt }) => {
  const spared = new Set(
    after.operations
      .filter(operation => operation.kind === 'restart' || policyOf(operation).reboot === 'never')
      .map(({ id }) => id),
  );
  const unlocked = moved.find(({ was, is }) => {
    if (spared.has(is.operation)) return false;
    const isGivenUp = isInFlight(was) && (is.phase === 'failed' || is.phase === 'skipped');
    const { staged } = machineAt(is.host).machine;
    return isGivenUp && staged?.isLocked === false && !is.problem.includes('its next boot brings');
  });
  return unlocked && `${unlocked.is.host} has an image that its next boot brings, and nobody is told`;
};

const oneAtATime: Rule = ({ after }) => {
  const busy = after.planned.filter(row => isInFlight(row) || isPreparing(row)).map(({ host }) => host);
  const twice = busy.find((host, index) => busy.indexOf(host) !== index);
  if (twice) return `${twice} is in two operations`;
  const both = after.work.find(({ kind, host }) => kind === 'bootstrap' && busy.includes(host));
  return both && `${both.host} is in an operation and in a bootstrap`;
};

const workHasItsHost: Rule = ({ after }) => {
  const twice = after.work.find(
    ({ kind, host }, index) =>
      (kind === 'roll' || kind === 'stage') &&
      after.work.some((other, place) => place < index && other.kind === kind && other.host === host),
  );
  return twice && `${twice.host} has ${twice.kind} twice to be done`;
};

export const RECORD_RULES: readonly Rule[] = [
  nothingIsLost,
  endsAreEnds,
  cancelledStaysSo,
  hostsOnlyAdvance,
  membersOnly,
  goneAreGone,
  skipsAreKept,
  imagesAreLocked,
  oneAtATime,
  workHasItsHost,
];
