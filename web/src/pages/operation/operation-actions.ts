import type { RouteName } from '#contract/index.ts';
import type { Client } from '#sdk/client.ts';
import { PARTITION_ADVICE } from '#sdk/operation-text.ts';
import type { OperationAction, OperationHostState, PauseReason } from '#vocabulary';
import { toSentence } from '../../ui/format/text.ts';

/** Target of an action: the whole operation, one host, or the operation without some members. */
export interface ActionTarget {
  readonly action: OperationAction;
  readonly host?: string | undefined;
  /** Members that `retry` excludes. */
  readonly exclude?: readonly string[] | undefined;
  readonly pausedBy?: PauseReason | null | undefined;
  /** Without a failed host, `retry` continues with the hosts that had not started. */
  readonly hasFailed?: boolean | undefined;
}

interface ActionDefinition {
  readonly route: RouteName;
  readonly title: string;
  readonly effects: readonly string[];
  readonly isDestructive?: boolean;
  readonly skipsConfirmation?: boolean;
}

interface RetryBody {
  readonly hosts?: string[];
  readonly exclude?: string[];
}

type OperationActionApi = Pick<
  Client,
  'pauseOperation' | 'resumeOperation' | 'retryHosts' | 'skipHosts' | 'cancelOperation'
>;

interface SendableAction extends ActionDefinition {
  readonly hostLabel?: string;
  readonly send: (api: OperationActionApi, id: string, body: RetryBody) => Promise<unknown>;
}

/** The effects match docs/guides/run-operations.md. */
const OPERATION_ACTIONS: Readonly<Record<OperationAction, SendableAction>> = {
  pause: {
    route: 'pauseOperation',
    title: 'Pause',
    effects: ['No new hosts start. Hosts in flight finish.', 'The operation stays paused until a user resumes it.'],
    skipsConfirmation: true,
    send: (api, id) => api.pauseOperation({ id, body: {} }),
  },
  resume: {
    route: 'resumeOperation',
    title: 'Resume',
    effects: [
      'Continues with the waiting hosts.',
      'After a pause for failures, earlier failures no longer count toward the limit. After a pause for the budget, the members are checked again. If they still use all slots, the operation pauses again immediately, or waits if the policy says so.',
    ],
    skipsConfirmation: true,
    send: (api, id) => api.resumeOperation({ id, body: {} }),
  },
  retry: {
    route: 'retryHosts',
    title: 'Retry failed hosts',
    hostLabel: 'Retry this host',
    effects: [
      'Failed hosts start a new attempt. A failed operation runs again, including hosts that had not started.',
      'Failures that you do not retry no longer stop new hosts, but the operation still ends as failed. Only Resume accepts failures.',
    ],
    send: (api, id, body) => api.retryHosts({ id, body }),
  },
  skip: {
    route: 'skipHosts',
    title: 'Skip failed hosts',
    hostLabel: 'Skip this host',
    effects: [
      'The operation does not change the host. The host uses no slot until it is active again.',
      'If the host is in flight, Hostler cleans up first. A host that was changed but not verified stays cordoned.',
    ],
    isDestructive: true,
    send: (api, id, body) => api.skipHosts({ id, body }),
  },
  cancel: {
    route: 'cancelOperation',
    title: 'Cancel operation',
    effects: [
      'Waiting hosts are skipped. Hosts in flight finish or are rolled back.',
      'A cancelled operation cannot be resumed; start a new one for the remaining hosts.',
    ],
    isDestructive: true,
    send: (api, id) => api.cancelOperation({ id, body: {} }),
  },
};

const RETRY_EXCLUDING: Partial<ActionDefinition> = {
  title: 'Retry without these hosts',
  effects: [
    'The unavailable hosts are skipped. They do not count against the limit until they are active again.',
    'All other hosts that failed or had not started run again.',
  ],
};

/** Resuming after a partition changes the status of hosts, so it needs a confirmation. */
const RESUME_PARTITIONED: Partial<ActionDefinition> = {
  effects: PARTITION_ADVICE.map(toSentence),
  skipsConfirmation: false,
};

export function actionFor({ action, host, exclude, pausedBy, hasFailed = true }: ActionTarget): ActionDefinition & {
  readonly request: (api: OperationActionApi, id: string) => Promise<unknown>;
} {
  const definition = {
    ...OPERATION_ACTIONS[action],
    ...(action === 'retry' && !hasFailed && { title: 'Retry' }),
    ...(exclude && RETRY_EXCLUDING),
    ...(action === 'resume' && pausedBy === 'partitioned' && RESUME_PARTITIONED),
  };
  const body = { ...(host !== undefined && { hosts: [host] }), ...(exclude && { exclude: [...exclude] }) };
  const { title, hostLabel = title, send } = definition;
  return {
    ...definition,
    title: host === undefined ? title : hostLabel,
    request: (api, id) => send(api, id, body),
  };
}

/** Returns the actions that the operation allows and that affect a host in this state. */
export const getHostActions = (
  state: OperationHostState,
  can: readonly OperationAction[],
): readonly OperationAction[] =>
  can.filter(
    action =>
      (action === 'retry' && state === 'failed') || (action === 'skip' && state !== 'done' && state !== 'skipped'),
  );
