import type { RouteName } from '#contract/index.ts';
import type { OperationVerb } from '#vocabulary';
import { api } from '../../api/client.ts';

interface Steering {
  readonly route: RouteName;
  /** What the button says, for all that are meant and for one host. */
  readonly title: string;
  readonly hostTitle?: string;
  /** What happens then. */
  readonly words: readonly string[];
  readonly isDangerous?: boolean;
  /** One press does it: it harms nothing, and may be for a hurry. */
  readonly isAtOnce?: boolean;
  readonly ask: (id: string, hosts: readonly string[] | undefined) => Promise<unknown>;
}

const meant = (hosts: readonly string[] | undefined) => (hosts === undefined ? {} : { hosts: [...hosts] });

/** What can be asked of an operation, and what comes of it: the words of docs/guides/operations.md. */
export const STEERING: Readonly<Record<OperationVerb, Steering>> = {
  pause: {
    route: 'pauseOperation',
    title: 'Pause',
    words: [
      'Nothing new is started. Hosts that prepare or are in flight come to their end.',
      'It stays paused until somebody resumes it.',
    ],
    isAtOnce: true,
    ask: id => api.pauseOperation({ id, body: {} }),
  },
  resume: {
    route: 'resumeOperation',
    title: 'Resume',
    words: [
      'It goes on with the hosts that wait.',
      'After a pause for failures, the failures there are do not count any more: as many as the policy allows may follow. After one for the budget, hosts in the way are waited for anew.',
    ],
    isAtOnce: true,
    ask: id => api.resumeOperation({ id, body: {} }),
  },
  retry: {
    route: 'retryHosts',
    title: 'Retry failed hosts',
    hostTitle: 'Retry this host',
    words: [
      'What has failed begins anew, as another attempt. An operation that had failed runs again, also with the hosts that had not begun.',
      'Failures that had stopped it and are not retried count as seen: they stop it no more.',
    ],
    ask: (id, hosts) => api.retryHosts({ id, body: meant(hosts) }),
  },
  skip: {
    route: 'skipHosts',
    title: 'Skip failed hosts',
    hostTitle: 'Skip this host',
    words: [
      'It is left alone, and not waited for any more. That frees its slot.',
      'What is in flight is left in order first. A host that was changed and is not proved keeps its node cordoned.',
    ],
    isDangerous: true,
    ask: (id, hosts) => api.skipHosts({ id, body: meant(hosts) }),
  },
  cancel: {
    route: 'cancelOperation',
    title: 'Cancel',
    words: [
      'Hosts that wait or prepare are skipped at once. What is in flight is left in order: a host that is being changed is brought to its end.',
      'A cancelled operation does not go on; start another for the hosts that are left.',
    ],
    isDangerous: true,
    ask: id => api.cancelOperation({ id, body: {} }),
  },
};
