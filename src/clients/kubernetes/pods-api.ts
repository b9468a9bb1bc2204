import type { ApiServer } from './api-server.ts';
import type { Eviction } from './eviction.ts';
import { evictor } from './eviction.ts';
import type { KubePod } from './kube-pod.ts';
import { kubePodOf, podSchema } from './kube-pod.ts';
import { listing } from './pages.ts';
import { podPath } from './paths.ts';

const listPods = listing(podSchema, kubePodOf);

export interface PodsApi {
  ofNode(nodeName: string): Promise<readonly KubePod[]>;
  /** Asks a pod to go, which disruption budgets may forbid. */
  evict(pod: KubePod): Promise<Eviction>;
  /** Deletes this very pod, whatever budgets say; one that has taken its name stays. */
  delete(pod: KubePod): Promise<void>;
}

export const podsApi = (server: ApiServer): PodsApi => ({
  async ofNode(nodeName) {
    const query = { fieldSelector: `spec.nodeName=${nodeName}` };
    return (await listPods(server, { path: '/api/v1/pods', what: 'list pods', query })).items;
  },
  evict: evictor(server),
  async delete(pod) {
    await server.ask({
      method: 'DELETE',
      path: podPath(pod),
      body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: pod.uid } },
      what: 'delete pods',
      expects: [404, 409],
    });
  },
});
