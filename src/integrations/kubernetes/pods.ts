import type { Static } from 'typebox';
import Type from 'typebox';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { JsonResponse } from '../http/json-client.ts';
import { REASON_HIDDEN } from '../http/json-client.ts';
import type { ApiServer } from './api-server.ts';
import { parseApiStatus, podPath } from './api-server.ts';
import { createLister } from './list-pages.ts';

const texts = Type.Record(Type.String(), Type.String());

/** Of a Pod of the API, what is looked at here. */
export const podSchema = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    namespace: Type.String(),
    uid: Type.String(),
    annotations: Type.Optional(texts),
    deletionTimestamp: Type.Optional(Type.String()),
    ownerReferences: Type.Optional(
      Type.Array(Type.Object({ kind: Type.String(), controller: Type.Optional(Type.Boolean()) })),
    ),
  }),
  status: Type.Optional(Type.Object({ phase: Type.Optional(Type.String()) })),
});

export interface KubePod {
  readonly namespace: string;
  readonly name: string;
  /** Another one of the same name has another. */
  readonly uid: string;
  /** The kubelet runs it from a file of the host; nobody else can end it. */
  readonly isMirror: boolean;
  readonly isTerminating: boolean;
  /** It has run to its end. */
  readonly isFinished: boolean;
  /** The kind of what makes it anew elsewhere, such as `ReplicaSet`; `undefined`: nothing does. */
  readonly controllerKind: string | undefined;
}

const FINISHED_PHASES = new Set(['Succeeded', 'Failed']);

export const toKubePod = ({ metadata, status }: Static<typeof podSchema>): KubePod => ({
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
  isMirror: metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined,
  isTerminating: metadata.deletionTimestamp !== undefined,
  isFinished: FINISHED_PHASES.has(status?.phase ?? ''),
  controllerKind: metadata.ownerReferences?.find(({ controller }) => controller)?.kind,
});

/** As it is told to people. */
export const formatPodName = ({ namespace, name }: KubePod): string => sanitizeLine(`${namespace}/${name}`);

/** What came of asking a pod to go. Details are for people. */
export type EvictionResult =
  /** It is going; it has not gone yet. */
  | { readonly state: 'accepted' }
  /** Not now: a budget would be overdrawn. */
  | { readonly state: 'blocked'; readonly detail: string; readonly retryAfterS?: number }
  /** Neither it nor its name is any concern of ours. */
  | { readonly state: 'gone' }
  /** It will not be better the next time. */
  | { readonly state: 'failed'; readonly detail: string };

/** Kubernetes 1.22 and later have the first; before, there was only the second. */
const API_VERSIONS = ['policy/v1', 'policy/v1beta1'] as const;

/** Of one pod and not of us: whoever guards pods there may refuse with any of them. 408 is the network's. */
const CLIENT_ERRORS = Array.from({ length: 100 }, (_, number) => 400 + number).filter(
  status => status !== 401 && status !== 408,
);
const ACCEPTED_STATUSES = [...CLIENT_ERRORS, 500];

/** What a budget says, else what the server does. */
function evictionDetail(body: unknown, isVerified: boolean): string {
  if (!isVerified) return REASON_HIDDEN;
  const { message = '', details } = parseApiStatus(body);
  const cause = details?.causes?.find(one => one.message)?.message;
  return sanitizeLine(cause ?? message) || 'no reason given';
}

function parseEviction({ status, body }: JsonResponse, isVerified: boolean): EvictionResult {
  const { details } = parseApiStatus(body);
  const detail = evictionDetail(body, isVerified);
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
export function createEvictor(server: ApiServer): (pod: KubePod) => Promise<EvictionResult> {
  let supported: (typeof API_VERSIONS)[number] = API_VERSIONS[0];

  const requestEviction = ({ namespace, name, uid }: KubePod, apiVersion: string): Promise<JsonResponse> =>
    server.request({
      method: 'POST',
      path: `${podPath({ namespace, name })}/eviction`,
      body: {
        apiVersion,
        kind: 'Eviction',
        metadata: { name, namespace },
        deleteOptions: { preconditions: { uid } },
      },
      action: 'evict pods',
      acceptedStatuses: ACCEPTED_STATUSES,
    });

  return async pod => {
    const [, fallback] = API_VERSIONS;
    const version = supported;
    const first = await requestEviction(pod, version);
    // A kind that it does not know is a bad request.
    if (version === fallback || first.status !== 400) return parseEviction(first, server.isVerified);
    const second = await requestEviction(pod, fallback);
    if (second.status !== 400) supported = fallback;
    return parseEviction(second.status === 400 ? first : second, server.isVerified);
  };
}

const listPods = createLister(podSchema, toKubePod);

export interface PodsApi {
  listOnNode(nodeName: string): Promise<readonly KubePod[]>;
  /** Asks a pod to go, which disruption budgets may forbid. */
  evict(pod: KubePod): Promise<EvictionResult>;
  /** Deletes this very pod, whatever budgets say; one that has taken its name stays. */
  delete(pod: KubePod): Promise<void>;
}

export const createPodsApi = (server: ApiServer): PodsApi => ({
  async listOnNode(nodeName) {
    const query = { fieldSelector: `spec.nodeName=${nodeName}` };
    return (await listPods(server, { path: '/api/v1/pods', action: 'list pods', query })).items;
  },
  evict: createEvictor(server),
  async delete(pod) {
    await server.request({
      method: 'DELETE',
      path: podPath(pod),
      body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: pod.uid } },
      action: 'delete pods',
      acceptedStatuses: [404, 409],
    });
  },
});
