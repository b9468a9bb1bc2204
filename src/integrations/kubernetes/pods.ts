import type { Static } from 'typebox';
import Type from 'typebox';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { JsonResponse } from '../http/json-client.ts';
import { REASON_HIDDEN } from '../http/json-client.ts';
import type { ApiServer } from './api-server.ts';
import { objectPath, parseApiStatus } from './api-server.ts';
import { createLister } from './list-pages.ts';

const texts = Type.Record(Type.String(), Type.String());

const podSchema = Type.Object({
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

const FINISHED_PHASES = new Set(['Succeeded', 'Failed']);

export type KubePod = Readonly<ReturnType<typeof toKubePod>>;

const toKubePod = ({ metadata, status }: Static<typeof podSchema>) => ({
  namespace: metadata.namespace,
  name: metadata.name,
  /** Distinguishes the pod from other pods of the same name. */
  uid: metadata.uid,
  /** A static pod that the kubelet runs from a file on the host; the API cannot stop it. */
  isMirror: metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined,
  isTerminating: metadata.deletionTimestamp !== undefined,
  isFinished: FINISHED_PHASES.has(status?.phase ?? ''),
  /** The kind of the controller that recreates the pod elsewhere, such as `ReplicaSet`; `undefined`: none. */
  controllerKind: metadata.ownerReferences?.find(({ controller }) => controller)?.kind,
});

export const formatPodName = ({ namespace, name }: KubePod): string => sanitizeLine(`${namespace}/${name}`);

export type EvictionResult =
  /** The pod is terminating, but not gone yet. */
  | { readonly state: 'accepted' }
  | { readonly state: 'blocked'; readonly detail: string; readonly retryAfterS?: number }
  /** The pod does not exist any more, or another pod has its name. */
  | { readonly state: 'gone' }
  | { readonly state: 'failed'; readonly detail: string };

/** Kubernetes 1.22 and later supports the first; older versions only the second. */
const API_VERSIONS = ['policy/v1', 'policy/v1beta1'] as const;

/** An admission webhook can reject one eviction with any of them. 401 concerns our credentials, 408 the network. */
const CLIENT_ERRORS = Array.from({ length: 100 }, (_, number) => 400 + number).filter(
  status => status !== 401 && status !== 408,
);
const ACCEPTED_STATUSES = [...CLIENT_ERRORS, 500];

/** Prefers the message of the PodDisruptionBudget. */
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
    case 409:
      return { state: 'gone' };
    // A server without the eviction API does not name the pod in its 404.
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

/** Evicts pods with the API version that the server supports, detected with the first eviction. */
function createEvictor(server: ApiServer): (pod: KubePod) => Promise<EvictionResult> {
  let supported: (typeof API_VERSIONS)[number] = API_VERSIONS[0];

  const requestEviction = ({ namespace, name, uid }: KubePod, apiVersion: string): Promise<JsonResponse> =>
    server.request({
      method: 'POST',
      path: `${objectPath('pods', { namespace, name })}/eviction`,
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
    // The server rejects an unknown API version with 400.
    if (version === fallback || first.status !== 400) return parseEviction(first, server.isVerified);
    const second = await requestEviction(pod, fallback);
    if (second.status !== 400) supported = fallback;
    return parseEviction(second.status === 400 ? first : second, server.isVerified);
  };
}

const listPods = createLister(podSchema, toKubePod);

export type PodsApi = ReturnType<typeof createPodsApi>;

export const createPodsApi = (server: ApiServer) => ({
  async listOnNode(nodeName: string) {
    const query = { fieldSelector: `spec.nodeName=${nodeName}` };
    return (await listPods(server, { path: '/api/v1/pods', action: 'list pods', query })).items;
  },
  /** Respects PodDisruptionBudgets. */
  evict: createEvictor(server),
  /** Ignores PodDisruptionBudgets. Deletes the pod only if its UID matches. */
  delete: (pod: KubePod) => server.delete(objectPath('pods', pod), 'delete pods', pod.uid),
});
