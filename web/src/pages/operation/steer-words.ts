import type { Client } from '#client/client.ts';
import { PARTITION_ADVICE } from '#client/operation-words.ts';
import type { RouteName } from '#contract/index.ts';
import type { OperationAction, PauseReason } from '#vocabulary';
import { sentence } from '../../ui/words/sentence.ts';

/** What a button is about: the whole operation, one host, or the operation without some members. */
export interface SteerTarget {
  readonly verb: OperationAction;
  readonly host?: string | undefined;
  /** Addresses of members that `retry` leaves out. */
  readonly exclude?: readonly string[] | undefined;
  readonly pausedBy?: PauseReason | null | undefined;
  /** Whether a host has failed. Without one, `retry` continues with the hosts that had not started. */
  readonly hasFailed?: boolean | undefined;
}

interface Steering {
  readonly route: RouteName;
  /** The text of the button. */
  readonly title: string;
  /** What happens then. */
  readonly words: readonly string[];
  readonly isDangerous?: boolean;
  /** It is done without a confirmation. */
  readonly isAtOnce?: boolean;
}

interface RetryBody {
  readonly hosts?: string[];
  readonly exclude?: string[];
}

type SteeringApi = Pick<
  Client,
  'pauseOperation' | 'resumeOperation' | 'retryHosts' | 'skipHosts' | 'cancelOperation'
>;

interface VerbSteering extends Steering {
  /** The text of the button for one host. */
  readonly hostTitle?: string;
  readonly send: (api: SteeringApi, id: string, body: RetryBody) => Promise<unknown>;
}

/** What a user can ask of an operation, and its effects as in docs/guides/run-operations.md. */
const STEERING: Readonly<Record<OperationAction, VerbSteering>> = {
  pause: {
    route: 'pauseOperation',
    title: 'Pause',
    words: [
      'No new hosts start. Hosts in flight finish.',
      'The operation stays paused until a user resumes it.',
    ],
    isAtOnce: true,
    send: (api, id) => api.pauseOperation({ id, body: {} }),
  },
  resume: {
    route: 'resumeOperation',
    title: 'Resume',
    words: [
      'Continues with the waiting hosts.',
      'After a pause for failures, earlier failures no longer count toward the limit. After a pause for the budget, the members are checked again. If they still use all slots, the operation pauses again immediately, or waits if the policy says so.',
    ],
    isAtOnce: true,
    send: (api, id) => api.resumeOperation({ id, body: {} }),
  },
  retry: {
    route: 'retryHosts',
    title: 'Retry failed hosts',
    hostTitle: 'Retry this host',
    words: [
      'Failed hosts start a new attempt. A failed operation runs again, including hosts that had not started.',
      'Failures that you do not retry no longer stop new hosts, but the operation still ends as failed. Only Resume accepts failures.',
    ],
    send: (api, id, body) => api.retryHosts({ id, body }),
  },
  skip: {
    route: 'skipHosts',
    title: 'Skip failed hosts',
    hostTitle: 'Skip this host',
    words: [
      'The operation leaves the host alone. The host uses no slot until it is active again.',
      'If the host is in flight, Hostler cleans up first. A host that was changed but not verified stays cordoned.',
    ],
    isDangerous: true,
    send: (api, id, body) => api.skipHosts({ id, body }),
  },
  cancel: {
    route: 'cancelOperation',
    title: 'Cancel operation',
    words: [
      'Waiting hosts are skipped. Hosts in flight finish or are rolled back.',
      'A cancelled operation cannot be resumed; start a new one for the remaining hosts.',
    ],
    isDangerous: true,
    send: (api, id) => api.cancelOperation({ id, body: {} }),
  },
};

const RETRY_WITHOUT: Partial<Steering> = {
  title: 'Retry without these hosts',
  words: [
    'The unavailable hosts are skipped. They do not count against the limit until they are active again.',
    'All other hosts that failed or had not started run again.',
  ],
};

/** Resuming after a partition changes the status of hosts, so it is confirmed. */
const RESUME_PARTITIONED: Partial<Steering> = {
  words: PARTITION_ADVICE.map(sentence),
  isAtOnce: false,
};

/** What a button for a target says and does. */
export function steeringFor({
  verb,
  host,
  exclude,
  pausedBy,
  hasFailed = true,
}: SteerTarget): Steering & { readonly ask: (api: SteeringApi, id: string) => Promise<unknown> } {
  const steering = {
    ...STEERING[verb],
    ...(verb === 'retry' && !hasFailed && { title: 'Retry' }),
    ...(exclude && RETRY_WITHOUT),
    ...(verb === 'resume' && pausedBy === 'partitioned' && RESUME_PARTITIONED),
  };
  const body = { ...(host !== undefined && { hosts: [host] }), ...(exclude && { exclude: [...exclude] }) };
  const { title, hostTitle = title, send } = steering;
  return {
    ...steering,
    title: host === undefined ? title : hostTitle,
    ask: (api, id) => send(api, id, body),
  };
}
