import { harmless } from '../../lib/text/harmless.ts';
import type { JsonAnswer } from '../json-server.ts';
import { NOT_SHOWN } from '../json-server.ts';
import type { ApiServer } from './api-server.ts';
import { apiStatusOf } from './api-status.ts';
import type { KubePod } from './kube-pod.ts';
import { podPath } from './paths.ts';

/** What came of asking a pod to go. Details are for people. */
export type Eviction =
  /** It is going; it has not gone yet. */
  | { readonly state: 'accepted' }
  /** Not now: a budget would be overdrawn. */
  | { readonly state: 'blocked'; readonly detail: string; readonly retryAfterS?: number }
  /** Neither it nor its name is any concern of ours. */
  | { readonly state: 'gone' }
  /** It will not be better the next time. */
  | { readonly state: 'failed'; readonly detail: string };

/** Kubernetes 1.22 and later have the first; before, there was only the second. */
const VERSIONS = ['policy/v1', 'policy/v1beta1'] as const;

/** Of one pod and not of us: whoever guards pods there may refuse with any of them. 408 is the network's. */
const REFUSALS = Array.from({ length: 100 }, (_, number) => 400 + number).filter(
  status => status !== 401 && status !== 408,
);
const EXPECTED = [...REFUSALS, 500];

/** What a budget says, else what the server does. */
function detailOf(body: unknown, isVerified: boolean): string {
  if (!isVerified) return NOT_SHOWN;
  const { message = '', details } = apiStatusOf(body);
  const cause = details?.causes?.find(one => one.message)?.message;
  return harmless(cause ?? message) || 'no reason given';
}

function evictionOf({ status, body }: JsonAnswer, isVerified: boolean): Eviction {
  const { details } = apiStatusOf(body);
  const detail = detailOf(body, isVerified);
  switch (status) {
    // Its name belongs to another one now.
    case 409:
      return { state: 'gone' };
    // Where evictions are not known at all, no pod is named.
    case 404:
      return details?.name === undefined ? { state: 'failed', detail } : { state: 'gone' };
    case 429: {
      const retryAfterS = details?.retryAfterSeconds;
      return { state: 'blocked', detail, ...(retryAfterS !== undefined && { retryAfterS }) };
    }
    default:
      return status < 300 ? { state: 'accepted' } : { state: 'failed', detail };
  }
}

/** Asks pods to go, in the words that the server understands: it is found out with the first of them. */
export function evictor(server: ApiServer): (pod: KubePod) => Promise<Eviction> {
  let known: (typeof VERSIONS)[number] = VERSIONS[0];

  const ask = ({ namespace, name, uid }: KubePod, apiVersion: string): Promise<JsonAnswer> =>
    server.ask({
      method: 'POST',
      path: `${podPath({ namespace, name })}/eviction`,
      body: {
        apiVersion,
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: { preconditions: { uid } },
      },
      what: 'evict pods',
      expects: EXPECTED,
    });

  return async pod => {
    const [, older] = VERSIONS;
    const tried = known;
    const first = await ask(pod, tried);
    // A kind that it does not know is a bad request.
    if (tried === older || first.status !== 400) return evictionOf(first, server.isVerified);
    const second = await ask(pod, older);
    if (second.status !== 400) known = older;
    return evictionOf(second.status === 400 ? first : second, server.isVerified);
  };
}
