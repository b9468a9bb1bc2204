import type { RouteName } from '#contract/index.ts';
import { answerOf, api } from '../../api/client.ts';
import type { Labels } from '../../fleet/labels.ts';
import { changedLabels } from '../../fleet/labels.ts';

/** What can be asked for many hosts, with what it needs to know. */
export type BulkWish =
  | { readonly kind: 'maintenance'; readonly isOn: boolean; readonly reason: string }
  | { readonly kind: 'labels'; readonly added: Labels; readonly removed: readonly string[] }
  | { readonly kind: 'join'; readonly cluster: string }
  | { readonly kind: 'leave' }
  | { readonly kind: 'bootstrap' }
  | { readonly kind: 'remove' };

export type BulkKind = BulkWish['kind'];

interface BulkAction {
  readonly kind: BulkKind;
  readonly verb: string;
  readonly needs: RouteName;
  readonly isDangerous?: true;
}

export const BULK_ACTIONS: readonly BulkAction[] = [
  { kind: 'maintenance', verb: 'Set maintenance', needs: 'putHostMaintenance' },
  { kind: 'labels', verb: 'Edit labels', needs: 'putHostLabels' },
  { kind: 'join', verb: 'Add to cluster', needs: 'addMember' },
  { kind: 'leave', verb: 'Remove from cluster', needs: 'removeMember' },
  { kind: 'bootstrap', verb: 'Retry bootstrap', needs: 'bootstrapHost' },
  { kind: 'remove', verb: 'Remove hosts', needs: 'removeHost', isDangerous: true },
];

/** Others may change labels at the same time: what counts is what is written last. */
async function changeLabels(address: string, added: Labels, removed: readonly string[]) {
  const labels = await answerOf(api.getHostLabels({ address }));
  return api.putHostLabels({ address, body: changedLabels(labels, added, removed) });
}

/** Asks it for one host. `clusterOf`: where a host is now. */
export function askFor(
  wish: BulkWish,
  clusterOf: (address: string) => string,
): (address: string) => Promise<unknown> {
  switch (wish.kind) {
    case 'maintenance': {
      const body = wish.isOn ? { on: true, reason: wish.reason } : { on: false };
      return address => api.putHostMaintenance({ address, body });
    }
    case 'labels':
      return address => changeLabels(address, wish.added, wish.removed);
    case 'join':
      return address => api.addMember({ name: wish.cluster, address, body: {} });
    case 'leave':
      return async address => {
        const name = clusterOf(address);
        if (name !== '') await api.removeMember({ name, address });
      };
    case 'bootstrap':
      return address => api.bootstrapHost({ address, body: {} });
    case 'remove':
      return address => api.removeHost({ address });
  }
}
